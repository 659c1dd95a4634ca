"""All that answers, put together; the server and the command line hold it."""

from pathlib import Path

import msgspec

from cetp_gateway.agent import HookPipeline
from cetp_gateway.api import Memory, ModelProvider
from cetp_gateway.assemble.current import Current
from cetp_gateway.assemble.reloading import Reloading
from cetp_gateway.builtin import KeptResults
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.memory import Remembering
from cetp_gateway.models import UsageLedger
from cetp_gateway.policy import PolicyParts
from cetp_gateway.schedules import ScheduleBook
from cetp_gateway.sessions import Conversations, Personas, SessionStore, Titles
from cetp_gateway.settings import Settings
from cetp_gateway.skills import Skills
from cetp_gateway.storage import Database
from cetp_gateway.tools import ToolRegistry


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """A running gateway without its sockets: everything that answers."""

    current: Current
    """What a reload replaces; read it at use."""
    reloading: Reloading
    config_file: Path
    data_folder: Path
    started_at: float
    """Of `time.time()`."""
    database: Database
    model: ModelProvider
    usage: UsageLedger
    registry: ToolRegistry
    policy: PolicyParts
    memory: Memory
    remembering: Remembering
    devices: Devices
    paired: PairedDevices
    sessions: SessionStore
    personas: Personas
    skills: Skills
    results: KeptResults
    """Of tools, kept whole for their sessions."""
    conversations: Conversations
    schedules: ScheduleBook
    titles: Titles

    @property
    def workspace(self) -> Path:
        """The folder for tools that work on files; made by the first of them."""
        return self.data_folder / "workspace"

    @property
    def settings(self) -> Settings:
        """Those in force. Whoever must not see them change keeps them."""
        return self.current.settings

    @property
    def hooks(self) -> HookPipeline:
        """Those in force."""
        return self.current.hooks
