"""What lasts beyond a session. Implements api.Memory over the gateway's database.

Above: `assemble`. Below: storage, settings, api. The room knows no session and no socket; what it needs of them is
handed in as functions.
"""

from cetp_gateway.memory.likeness import rests_on
from cetp_gateway.memory.none import NoMemory
from cetp_gateway.memory.opening import open_memory
from cetp_gateway.memory.remembering import Remembering, remembering
from cetp_gateway.memory.snapshot import Snapshot
from cetp_gateway.memory.sqlite import SqliteMemory

__all__ = ["NoMemory", "Remembering", "Snapshot", "SqliteMemory", "open_memory", "remembering", "rests_on"]
