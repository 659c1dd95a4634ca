"""The CETP gateway: an agent over the tools that phones offer."""

from cetp_gateway._version import __version__

__all__ = ["__version__"]
