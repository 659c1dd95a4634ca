"""The virtual phone: provider apps from packs, bridged to a gateway over a real WebSocket.

A client like any other: it knows the specification and nothing of the gateway's inside. Above: the command line,
the demo, tests.

    packs ─► provider (one app) ─► catalog (wire names) ─► registration ─┐
    phone (connect, again and again) ─► link (one socket) ─► calls ──────┴─► gateway
"""

from cetp_gateway.phone.backoff import BackoffPolicy, backoff
from cetp_gateway.phone.commands import obey
from cetp_gateway.phone.faults import FAULTS, Fault, FaultKind, UnknownFault, read_fault
from cetp_gateway.phone.limits import PhoneLimits
from cetp_gateway.phone.listener import (
    CallAnswered,
    CallDropped,
    CallReceived,
    CallRefused,
    Connected,
    Connecting,
    Disconnected,
    Listener,
    Misbehaved,
    Noticed,
    PhoneEvent,
    Registered,
    Stopped,
)
from cetp_gateway.phone.loading import load_pack, read_pack, shipped_packs
from cetp_gateway.phone.pack import Pack
from cetp_gateway.phone.phone import VirtualPhone
from cetp_gateway.phone.provider import Provider
from cetp_gateway.phone.telling import told

__all__ = [
    "FAULTS",
    "BackoffPolicy",
    "CallAnswered",
    "CallDropped",
    "CallReceived",
    "CallRefused",
    "Connected",
    "Connecting",
    "Disconnected",
    "Fault",
    "FaultKind",
    "Listener",
    "Misbehaved",
    "Noticed",
    "Pack",
    "PhoneEvent",
    "PhoneLimits",
    "Provider",
    "Registered",
    "Stopped",
    "UnknownFault",
    "VirtualPhone",
    "backoff",
    "load_pack",
    "obey",
    "read_fault",
    "read_pack",
    "shipped_packs",
    "told",
]
