"""The chat socket: a device or a person on `/ws/chat`, its frames and what it is told unasked.

Above: `serve`. Below: `service`, `door`.
"""
