"""Pages and searches: addresses are judged when they are looked up, and kept; what comes back is data.

Above: `all_tools`, and who else judges addresses. Below: `builtin_tool`.
"""
