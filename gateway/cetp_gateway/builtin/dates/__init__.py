"""Calendar arithmetic.

Above: `all_tools`. Below: `zones`, `builtin_tool`.
"""
