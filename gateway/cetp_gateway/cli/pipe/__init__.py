"""`cetp pipe`: a file for each command, and what they share.

Above: the group of all commands. Below: the rooms pipe and assemble.
"""
