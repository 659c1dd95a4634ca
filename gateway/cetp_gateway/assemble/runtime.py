"""All that answers, put together; the server and the command line hold it."""

from dataclasses import dataclass
from pathlib import Path

from cetp_gateway.agent import HookPipeline
from cetp_gateway.api import Memory, ModelProvider
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.memory import Remembering
from cetp_gateway.models import UsageLedger
from cetp_gateway.policy import PolicyParts
from cetp_gateway.sessions import Conversations, Personas, SessionStore, Titles
from cetp_gateway.settings import Settings
from cetp_gateway.storage import Database
from cetp_gateway.tools import ToolRegistry


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """A running gateway without its sockets: everything that answers."""

    settings: Settings
    config_file: Path
    data_folder: Path
    started_at: float
    """Of `time.time()`."""
    database: Database
    model: ModelProvider
    usage: UsageLedger
    registry: ToolRegistry
    hooks: HookPipeline
    """The security policy first, then those of `agent.hooks`."""
    policy: PolicyParts
    memory: Memory
    remembering: Remembering
    devices: Devices
    paired: PairedDevices
    sessions: SessionStore
    personas: Personas
    conversations: Conversations
    titles: Titles

    @property
    def workspace(self) -> Path:
        """The folder for tools that work on files; made by the first of them."""
        return self.data_folder / "workspace"
