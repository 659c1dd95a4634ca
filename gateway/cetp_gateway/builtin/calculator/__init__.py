"""Arithmetic, exact where it can be, and bounded.

Above: `all_tools`. Below: `builtin_tool`.
"""
