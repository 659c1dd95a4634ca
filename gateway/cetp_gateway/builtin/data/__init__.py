"""Queries over JSON and CSV, each in a process of its own: a query is a program that a model writes.

Above: `all_tools`. Below: `confined`, `files`, `builtin_tool`. `scripts/` holds what runs in those processes.
"""
