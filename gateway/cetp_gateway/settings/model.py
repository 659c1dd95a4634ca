"""Settings of the LLM: `[model]`, what its use costs in `[usage]`, and how much of it in `[budget]`."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cetp_gateway.settings.values import Count, Seconds, Section

Thinking = Literal["auto", "off", "low", "medium", "high", "xhigh", "max"]


class ModelSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The LLM."""

    provider: str = "auto"
    """anthropic, openai or one of its aliases (ollama, deepseek, groq, …), offline; auto takes anthropic when
    a key for it is set, openai when `base_url` is set, else offline."""
    name: str = ""
    """Model id; empty takes the provider's default."""
    base_url: str = ""
    api_key: str = ""
    """Better kept elsewhere: CETP_MODEL_API_KEY or the vendor's own variable in the environment, `api_key_file`, or
    keyring:SERVICE/NAME here, which reads the system's key ring."""
    api_key_file: str = ""
    """The file that holds the key in one line, such as /run/secrets/model; a relative one lies in the folder of
    systemd's credentials, else beside the settings file."""
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

    prices: dict[str, Price] = msgspec.field(default_factory=dict)
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
