"""Devices: who may come in, who is connected, and the socket of each.

Bytes become frames (`decode`), frames become events (`protocol`), and a `Link` is each socket's only reader and
writer. Knows nothing of sessions, the agent or how tools are checked. Above: the server. Below: `api`, `settings`,
`storage`. The frames to send are in `cetp_gateway.devices.frames_out`, the events in `cetp_gateway.devices.events`.
"""

from cetp_gateway.devices.calls import Answer
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.close_codes import CloseCode
from cetp_gateway.devices.directory import Devices, DeviceStatus
from cetp_gateway.devices.events import (
    Abort,
    Connected,
    Event,
    ListAsked,
    Misread,
    Regenerate,
    ToolsOffered,
    ToolsWithdrawn,
    UserMessage,
)
from cetp_gateway.devices.link import Link
from cetp_gateway.devices.link_handler import LinkEnd, LinkHandler
from cetp_gateway.devices.names import clean_name
from cetp_gateway.devices.paired import NewDevice, PairedDevice, PairedDevices
from cetp_gateway.devices.socket import Socket, socket_of
from cetp_gateway.devices.uvicorn_socket import DeviceConnection

__all__ = [
    "Abort",
    "Answer",
    "Capability",
    "CloseCode",
    "Connected",
    "DeviceConnection",
    "DeviceStatus",
    "Devices",
    "Event",
    "Link",
    "LinkEnd",
    "LinkHandler",
    "ListAsked",
    "Misread",
    "NewDevice",
    "PairedDevice",
    "PairedDevices",
    "Regenerate",
    "Socket",
    "ToolsOffered",
    "ToolsWithdrawn",
    "UserMessage",
    "clean_name",
    "socket_of",
]
