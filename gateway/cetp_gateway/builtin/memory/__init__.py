"""Tools over the memory: what is kept counts as the person's words only when it rests on them.

Above: `all_tools`. Below: api.Memory.
"""
