"""Every setting of the gateway, with its unit, default and bounds.

A value is written in `cetp.toml` as `[section] key = value` or in the environment as CETP_SECTION_KEY,
for instance CETP_LIMITS_TOOL_TIMEOUT_S=10. Unknown keys are refused (see `load`).
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cetp_gateway.api import Autonomy

Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1024, le=256 * 1024 * 1024)]

Thinking = Literal["auto", "off", "low", "medium", "high", "xhigh", "max"]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all sections: values cannot change while the gateway runs, unknown keys are errors."""


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
    ping_interval_s: Seconds = 20.0
    """Time between pings to each socket."""
    ping_timeout_s: Seconds = 20.0
    """A socket that has not answered a ping for so long is closed."""
    shutdown_grace_s: Annotated[float, Meta(ge=0.1, le=60)] = 3.0
    """Time for open requests to end after SIGTERM."""


class ModelSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The LLM."""

    provider: str = "auto"
    """anthropic, openai or one of its aliases (ollama, deepseek, groq, …), offline; auto takes anthropic when
    a key for it is set, openai when `base_url` is set, else offline."""
    name: str = ""
    """Model id; empty takes the provider's default."""
    base_url: str = ""
    api_key: str = ""
    """Better kept in the environment: CETP_MODEL_API_KEY, or the vendor's own variable."""
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    """None leaves it to the vendor."""
    max_output_tokens: Count = 8192
    """Limit of one step."""
    retries: Annotated[int, Meta(ge=0, le=10)] = 2
    """Further attempts at a failed request, when nothing was shown yet and another try is worth it."""
    timeout_s: Seconds = 120.0
    """Longest silence of the vendor within one request."""
    fallbacks: tuple[str, ...] = ()
    """Asked in this order when a model fails before it has said anything: PROVIDER or PROVIDER/MODEL, such as
    ollama/qwen3, with @ and an address behind it when the provider's own does not fit. Keys come from the vendors' own
    variables."""
    breaker_failures: Count = 3
    """Failed steps in a row after which a model is not asked for `breaker_pause_s`."""
    breaker_pause_s: Seconds = 60.0
    thinking: Thinking = "auto"
    """How much the model thinks before it answers; auto leaves it to the vendor."""
    tool_calls: Literal["auto", "native", "text"] = "auto"
    """native uses the vendor's own tool calls; text tells the model about tools in words and reads its calls from what
    it writes; auto begins with native and goes over to text when the vendor says that the model takes no tools."""
    max_tools: Count = 128
    """Tools offered in one request; with more, those that fit the user's words best are chosen."""

    def __repr__(self) -> str:
        """Without the key: settings turn up in logs and tracebacks."""
        return f"ModelSettings(provider={self.provider!r}, name={self.name!r}, base_url={self.base_url!r})"


class Price(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model costs, in US dollars per million tokens."""

    input: Annotated[float, Meta(ge=0)]
    output: Annotated[float, Meta(ge=0)]
    cached_input: Annotated[float, Meta(ge=0)] | None = None
    """Input that the vendor had kept; None takes `input`."""
    cache_write: Annotated[float, Meta(ge=0)] | None = None
    """Input that the vendor keeps for next time; None takes `input`."""
    long_from: Annotated[int, Meta(ge=0)] = 0
    """With more input tokens the whole request costs `long_input` and `long_output`; 0 when it never does."""
    long_input: Annotated[float, Meta(ge=0)] = 0.0
    long_output: Annotated[float, Meta(ge=0)] = 0.0


class UsageSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of what models use."""

    prices: dict[str, Price] = {}
    """By globs over PROVIDER/MODEL or MODEL, before the prices that come with the program; for instance
    [usage.prices] "my-model*" = { input = 1.0, output = 5.0 }."""
    keep_days: Count = 400
    """Older figures are removed at start."""


Dollars = Annotated[float, Meta(ge=0, le=1_000_000)]


class BudgetSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What models may use. No request begins that could go over a limit; None is no limit."""

    usd_per_session: Dollars | None = None
    usd_per_day: Dollars | None = None
    """Days and months are those of this machine's zone."""
    usd_per_month: Dollars | None = None
    tokens_per_day: Annotated[int, Meta(ge=0)] | None = None
    """Input and output together."""


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
    mcp_tool_filters: dict[str, tuple[str, ...]] = {}
    """By the name of an MCP server, globs of its tools' own names; nothing else of that server is offered."""


class PolicySettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an agent may do on its own, and who decides about the rest."""

    autonomy: Autonomy = Autonomy.SUPERVISED
    """read_only: tools that only read. supervised: those, and the others when a person allows the call. full: all."""
    clients: tuple[str, ...] = ()
    """`CLIENT=LEVEL` each: another level for a paired device (by its id), for `local`, or for an entrance: `agent`
    (chat), `rest`, `webhook`. The strictest that fits the caller holds, together with the session's own."""
    ask_unmarked: bool = False
    """True: supervised asks also before tools of a device that declares no effect, which is how ClawSeed's own clients
    register theirs. read_only never runs those."""
    always_ask: tuple[str, ...] = ()
    """Globs of public names: a person is asked each time, also by tools that only read, also with full autonomy."""
    max_actions_per_hour: Annotated[int, Meta(ge=0, le=10_000)] = 1000
    """Tool calls of one session within any 60 minutes; outside sessions, those of one client whose tools are known to
    do more than read. 0 is no limit."""
    approval_timeout_s: Seconds = 120.0
    """Wait for a person's decision; no answer is no."""
    max_open_approvals: Count = 64
    """Calls that may wait for a person; further ones are denied."""
    approvers: tuple[str, ...] = ()
    """Ids of paired devices, or `local`, that may decide; empty lets everybody decide whom the gateway lets in."""


class AuditSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The trail of what was called, by whom and with what outcome. It is always kept; only its content is a choice."""

    content: bool = False
    """True: arguments and results are kept in full text and not as hashes alone."""
    retention_days: Annotated[int, Meta(ge=0, le=36_500)] = 365
    """Older entries are removed; 0 keeps all."""
    flush_s: Annotated[float, Meta(ge=0.01, le=60)] = 0.5
    """Longest time that the entry of a call stays in memory whose tool only reads, or declares no effect and needs no
    person; what a crash can lose. Other calls are written down before they run and before their caller is answered."""


class HookSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What configured hooks are told."""

    options: dict[str, dict[str, Any]] = {}
    """By a hook's name, whatever it asks its owner for."""


class MemorySettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lasts beyond a session."""

    backend: Literal["sqlite", "none"] = "sqlite"
    """none remembers nothing."""
    content_chars: Count = 8192
    """Longest text of one entry."""
    snapshot: bool = True
    """Keep MEMORY_SNAPSHOT.md in the data folder, from which core entries come back when the database is gone."""
    hygiene_interval_h: Annotated[float, Meta(gt=0, le=8760)] = 12.0
    """Time between two removals of old entries."""
    daily_days: Count = 30
    """Age from which daily entries go; core ones never do."""
    conversation_days: Count = 30
    """Age from which conversation entries go."""
    search_mode: Literal["hybrid", "embedding", "bm25"] = "hybrid"
    """By words and meaning, by meaning, or by words; without embeddings words alone count."""
    keyword_weight: Annotated[float, Meta(ge=0, le=1)] = 0.3
    """Share of the words in hybrid search."""
    vector_weight: Annotated[float, Meta(gt=0, le=1)] = 0.7
    """Share of the meaning in hybrid search."""
    embedding_provider: Literal["none", "openai", "local"] = "none"
    """openai is any server with OpenAI's /embeddings, which gets every entry; local needs cetp-toolkit[embeddings]."""
    embedding_model: str = ""
    """Model id at that server; empty takes text-embedding-3-small."""
    embedding_base_url: str = ""
    """Such as http://127.0.0.1:11434/v1; empty is OpenAI itself."""
    embedding_api_key: str = ""
    """Better kept in the environment: CETP_MEMORY_EMBEDDING_API_KEY."""
    embedding_dims: Annotated[int, Meta(ge=0, le=8192)] = 0
    """Dimensions to ask for; 0 leaves it to the server."""
    embedding_timeout_s: Seconds = 30.0
    """Longest wait for one request; a query waits 3 s at most."""
    recalled: Annotated[int, Meta(ge=0, le=50)] = 5
    """Entries that a turn is given with the question they fit; 0 leaves recalling to tools."""
    consolidate: bool = True
    """After a turn, ask its model what is worth remembering."""
    consolidation_timeout_s: Seconds = 60.0
    """Longest wait for that answer."""

    def __repr__(self) -> str:
        """Without the key: settings turn up in logs and tracebacks."""
        return f"MemorySettings(backend={self.backend!r}, search_mode={self.search_mode!r})"


class LimitSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every bound on what others may send or hold. Bytes are UTF-8 bytes of the whole frame or body."""

    message_bytes: Bytes = 4 * 1024 * 1024
    """One WebSocket message from a device; larger ones close the socket with 1009."""
    body_bytes: Bytes = 64 * 1024
    """One HTTP body."""
    config_bytes: Bytes = 1024 * 1024
    """The body of PUT /api/config."""
    pending_messages: Count = 512
    """Frames waiting for a device that does not read; one more closes its socket with 4408."""
    pending_bytes: Bytes = 8 * 1024 * 1024
    """Bytes waiting for a device that does not read."""
    frames_per_s: Count = 2048
    """Frames from one device that answer no open call; more within a second close its socket with 4429."""
    sockets: Count = 4096
    """Open WebSockets."""
    calls_per_device: Count = 64
    """Calls in flight on one socket; further ones are refused as RATE_LIMITED."""
    tools_per_device: Count = 1024
    """Further tools are quarantined."""
    toolset_bytes: Bytes = 1024 * 1024
    """All tools of a device together; further ones are quarantined."""
    tool_name_chars: Annotated[int, Meta(ge=64, le=1_000_000)] = 256
    """A tool's name on its device; longer ones are quarantined."""
    tool_timeout_s: Seconds = 30.0
    """Wait for a tool's answer; a call that has timed out may still have run."""
    result_chars: Count = 24_000
    """Characters of one result shown to the model; longer ones keep 2/3 head and 1/3 tail."""
    schema_bytes: Bytes = 64 * 1024
    """A tool's schema as JSON text."""
    schema_depth: Count = 32
    """Nesting of a tool's schema."""
    schema_refs: Count = 64
    """`$ref`s in a tool's schema."""
    schema_patterns: Count = 16
    """Regular expressions of a tool's schema that are checked; further ones are left to the app."""
    description_chars: Count = 8192
    """A tool's description; longer ones are cut."""
    argument_bytes: Bytes = 1024 * 1024
    """Arguments of one call as JSON text."""
    argument_depth: Count = 64
    """Nesting of the arguments of one call."""
    turns_per_session: Count = 8
    """The running turn of a session and those waiting for it."""
    queue_wait_s: Seconds = 30.0
    """Longest wait of a turn for the ones before it."""
    message_chars: Count = 200_000
    """One user message."""
    webhooks_per_minute: Count = 30
    """Questions by POST /webhook of one device, or of one address without pairing."""
    pairing_code_s: Seconds = 600.0
    """Life of an unused pairing code."""
    pairing_attempts: Count = 10
    """Wrong pairing codes of one client within `pairing_lockout_s`; ten times as many of all clients together."""
    pairing_lockout_s: Seconds = 60.0
    """How long a client is refused that has tried too many codes."""


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
    memory: MemorySettings = MemorySettings()
    policy: PolicySettings = PolicySettings()
    audit: AuditSettings = AuditSettings()
    hooks: HookSettings = HookSettings()
    limits: LimitSettings = LimitSettings()
    log: LogSettings = LogSettings()


SECRETS = frozenset({("model", "api_key"), ("memory", "embedding_api_key")})
"""Keys whose values are never shown."""
