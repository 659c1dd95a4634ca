"""Implementations of the Memory extension point. Above: `assemble` alone knows them. Below: api, storage."""

from cetp_gateway.memory.none import NoMemory

__all__ = ["NoMemory"]
