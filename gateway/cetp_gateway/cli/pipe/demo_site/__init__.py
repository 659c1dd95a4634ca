"""A small shop on this machine's loopback, for `cetp pipe demo`: a login, orders, a search, a total to be read."""

from cetp_gateway.cli.pipe.demo_site.shop import PASSWORD, USER, shop

__all__ = ["PASSWORD", "USER", "shop"]
