"""Every setting of the gateway, with its unit, default and bounds.

A value is written in `cetp.toml` as `[section] key = value` or in the environment as CETP_SECTION_KEY,
for instance CETP_LIMITS_TOOL_TIMEOUT_S=10. Unknown keys are refused (see `load`).
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cetp_gateway.settings.builtin import BuiltinSettings
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.memory import MemorySettings
from cetp_gateway.settings.model import BudgetSettings, ModelSettings, UsageSettings
from cetp_gateway.settings.pipe import PipeSettings
from cetp_gateway.settings.policy import AuditSettings, HookSettings, PolicySettings
from cetp_gateway.settings.reload import ReloadSettings
from cetp_gateway.settings.schedules import ScheduleSettings
from cetp_gateway.settings.skills import SkillSettings
from cetp_gateway.settings.values import Count, Port, Seconds, Section


class ServerSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the gateway listens and whom it lets in."""

    host: str = "127.0.0.1"
    """Address to bind; 0.0.0.0 for the whole LAN."""
    port: Port = 42617
    """0 takes a free one."""
    require_pairing: bool = True
    """False lets everybody in who reaches the port."""
    tls: Literal["off", "self-signed", "files"] = "off"
    """self-signed makes a certificate at the first start, whose key the pairing link names; files takes those below."""
    tls_certificate: str = ""
    """PEM file with the certificate and those between it and its authority; read at start."""
    tls_key: str = ""
    """PEM file with its key, without a password."""
    public_url: str = ""
    """Where phones reach the gateway, for pairing links, such as https://box.example.org behind a proxy; empty takes
    this machine's own address."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names for the Host header; IP addresses, localhost and this machine's own names always pass."""
    allowed_origins: tuple[str, ...] = ()
    """Web origins that may call besides the gateway's own, such as https://example.org."""
    webhook_secret: str = ""
    """When set, POST /webhook wants it in the header X-Webhook-Secret, besides a token."""
    webhook_secret_file: str = ""
    """The file that holds the secret in one line; see model.api_key_file."""
    ping_interval_s: Seconds = 20.0
    """Time between pings to each socket."""
    ping_timeout_s: Seconds = 20.0
    """A socket that has not answered a ping for so long is closed."""
    shutdown_grace_s: Annotated[float, Meta(ge=0.1, le=60)] = 3.0
    """Time for open requests to end after SIGTERM."""


class AgentSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The loop."""

    max_steps: Count = 25
    """Model requests in one turn."""
    max_history: Count = 50
    """Messages sent to the model besides the system prompt."""
    instructions: str = ""
    """Added to the system prompt."""
    hooks: tuple[str, ...] = ("log",)
    """Hooks around tool calls, in order, by the names of their factories: those that ship, and entry points
    `cetp_gateway.hooks` of installed packages. The security policy comes before them all."""


class SessionSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Conversations."""

    default_name: str = "新会话"
    """Name of a session whose client gave none; such sessions get a title after their first turn. The value
    is the one that ClawSeed clients compare with."""
    titles: bool = True
    """Ask the model for the title; otherwise the first words are taken."""


class ToolSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is offered to the model."""

    allow_writing: tuple[str, ...] = ()
    """Globs of public names: tools of read-only providers that are offered although they say they write."""
    allowed: tuple[str, ...] = ("*",)
    """Globs of public names; nothing else is offered."""
    denied: tuple[str, ...] = ()
    """Globs of public names that are never offered; wins over `allowed`."""
    token_budget: Annotated[int, Meta(ge=0, le=1_000_000)] = 8000
    """Tokens that the tools of one request may take, estimated at a quarter of their bytes. When there are more, those
    that seem to be needed are sent and the model looks for others with search_tools. 0 sends all."""
    mcp_tool_filters: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """By the name of an MCP server, globs of its tools' own names; nothing else of that server is offered."""


class LogSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the gateway writes to standard error."""

    level: str = "INFO"
    """DEBUG, INFO, WARNING or ERROR."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole configuration."""

    server: ServerSettings = ServerSettings()
    model: ModelSettings = ModelSettings()
    usage: UsageSettings = UsageSettings()
    budget: BudgetSettings = BudgetSettings()
    agent: AgentSettings = AgentSettings()
    sessions: SessionSettings = SessionSettings()
    tools: ToolSettings = ToolSettings()
    builtin: BuiltinSettings = BuiltinSettings()
    memory: MemorySettings = MemorySettings()
    policy: PolicySettings = PolicySettings()
    audit: AuditSettings = AuditSettings()
    pipe: PipeSettings = PipeSettings()
    hooks: HookSettings = HookSettings()
    skills: SkillSettings = SkillSettings()
    reload: ReloadSettings = ReloadSettings()
    schedules: ScheduleSettings = ScheduleSettings()
    limits: LimitSettings = LimitSettings()
    log: LogSettings = LogSettings()


SECRETS = frozenset(
    {
        ("model", "api_key"),
        ("memory", "embedding_api_key"),
        ("builtin", "search_api_key"),
        ("schedules", "webhook_secret"),
        ("server", "webhook_secret"),
    }
)
"""Keys whose values are never shown."""
