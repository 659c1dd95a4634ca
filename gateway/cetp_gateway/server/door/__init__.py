"""Who may come in, and how: hosts and origins, tokens, pairing, TLS, the address that phones are told.

Above: `service`, `rest`, `chat`. Below: `requests`.
"""
