"""How a request is read and an answer written, whatever it is about.

Above: `door`, `rest`, `chat`. Below: api.
"""
