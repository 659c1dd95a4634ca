"""The server: one ASGI application with the door, the chat socket, REST and pairing.

Above: the command line (through serve). Below: assemble, whose Runtime does the work. What the room adds is who
may come in, how requests are read, and how answers look on the wire.
"""

from cetp_gateway.server.app import CHAT_PATH, Application, Chat
from cetp_gateway.server.door.auth import Caller, CallerKind
from cetp_gateway.server.rest.table import TABLE
from cetp_gateway.server.service import Service

__all__ = ["CHAT_PATH", "TABLE", "Application", "Caller", "CallerKind", "Chat", "Service"]
