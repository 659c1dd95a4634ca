"""A to-do list for each conversation.

Above: `all_tools`, `assemble`. Below: storage.
"""
