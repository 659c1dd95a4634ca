"""Every vendor that is known by name, with its address, key and limits. One table, because limits move.

Sources: the vendors' API references, read in November 2026.
"""

from typing import Final

import msgspec

from cetp_gateway.models.call_ids import ALPHANUMERIC_9, ANY_40, WORDS_64, CallIdRule
from cetp_gateway.models.tool_schemas import ANTHROPIC as ANTHROPIC_SCHEMAS
from cetp_gateway.models.tool_schemas import GEMINI as GEMINI_SCHEMAS
from cetp_gateway.models.tool_schemas import OPENAI as OPENAI_SCHEMAS
from cetp_gateway.models.tool_schemas import PORTABLE, ToolLimits


class Vendor(msgspec.Struct, frozen=True, kw_only=True):
    """One vendor or server program."""

    name: str
    """As in the settings."""
    title: str
    """As people call it."""
    aliases: tuple[str, ...] = ()
    base_url: str
    key_variables: tuple[str, ...] = ()
    """Environment variables that may hold its key, the first one set counts. Empty: it needs none."""
    default_model: str = ""
    """Empty: `model.name` must be set, or, on a server of one's own, the first model that it lists is taken."""
    own_server: bool = False
    """True: a program on the owner's own machine."""
    start_hint: str = ""
    """What to do when nothing answers."""
    tools: ToolLimits = ToolLimits(dialect=PORTABLE)
    call_ids: CallIdRule = ANY_40
    limit_field: str = "max_tokens"
    """Field that limits the output (OpenAI-compatible vendors)."""
    asks_for_usage: bool = True
    """False: `stream_options` is refused; usage comes by itself or not at all."""
    replays_reasoning: bool = False
    """True: a message with calls must come back with its reasoning, even an empty one."""
    signs_calls: bool = False
    """True: calls carry a signature in `extra_content` that must come back with them."""


ANTHROPIC: Final = Vendor(
    name="anthropic",
    title="Anthropic",
    aliases=("claude",),
    base_url="https://api.anthropic.com",
    key_variables=("ANTHROPIC_API_KEY",),
    default_model="claude-sonnet-5-5",
    tools=ToolLimits(dialect=ANTHROPIC_SCHEMAS, max_tools=1000, name_pattern=r"[A-Za-z0-9_-]{1,128}"),
    call_ids=WORDS_64,
)

OPENAI: Final = Vendor(
    name="openai",
    title="OpenAI",
    base_url="https://api.openai.com/v1",
    key_variables=("OPENAI_API_KEY",),
    default_model="gpt-6-luna",
    tools=ToolLimits(dialect=OPENAI_SCHEMAS, description_chars=1024),
    limit_field="max_completion_tokens",
)

COMPATIBLE: Final = Vendor(
    name="openai",
    title="The model server",
    base_url="",
    key_variables=("OPENAI_API_KEY",),
    own_server=True,
    start_hint="Check model.base_url and that the server runs.",
)
"""`openai` with a `base_url` of its own: any server that speaks the chat completions API."""

OPENAI_COMPATIBLE: Final = (
    OPENAI,
    Vendor(
        name="ollama",
        title="Ollama",
        base_url="http://localhost:11434/v1",
        key_variables=("OLLAMA_API_KEY",),
        own_server=True,
        start_hint="Start it with `ollama serve`.",
    ),
    Vendor(
        name="lmstudio",
        title="LM Studio",
        aliases=("lm-studio",),
        base_url="http://localhost:1234/v1",
        own_server=True,
        start_hint="Start its server with `lms server start`.",
    ),
    Vendor(
        name="llamacpp",
        title="llama.cpp",
        aliases=("llama.cpp", "llama-server"),
        base_url="http://localhost:8080/v1",
        own_server=True,
        start_hint="Start it with `llama-server --jinja -m MODEL`.",
    ),
    Vendor(
        name="vllm",
        title="vLLM",
        base_url="http://localhost:8000/v1",
        key_variables=("VLLM_API_KEY",),
        own_server=True,
        start_hint="Start it with `vllm serve MODEL --enable-auto-tool-choice`.",
    ),
    Vendor(
        name="deepseek",
        title="DeepSeek",
        base_url="https://api.deepseek.com",
        key_variables=("DEEPSEEK_API_KEY",),
        default_model="deepseek-flash",
        replays_reasoning=True,
    ),
    Vendor(
        name="gemini",
        title="Gemini",
        aliases=("google",),
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        default_model="gemini-flash-latest",
        tools=ToolLimits(dialect=GEMINI_SCHEMAS, name_pattern=r"[A-Za-z_][A-Za-z0-9_-]{0,63}"),
        signs_calls=True,
    ),
    Vendor(
        name="groq",
        title="Groq",
        base_url="https://api.groq.com/openai/v1",
        key_variables=("GROQ_API_KEY",),
        default_model="openai/gpt-oss-120b",
    ),
    Vendor(
        name="mistral",
        title="Mistral",
        base_url="https://api.mistral.ai/v1",
        key_variables=("MISTRAL_API_KEY",),
        default_model="mistral-medium-latest",
        call_ids=ALPHANUMERIC_9,
        asks_for_usage=False,
    ),
    Vendor(
        name="openrouter",
        title="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        key_variables=("OPENROUTER_API_KEY",),
        default_model="openrouter/auto",
    ),
    Vendor(
        name="together",
        title="Together",
        base_url="https://api.together.xyz/v1",
        key_variables=("TOGETHER_API_KEY",),
    ),
    Vendor(
        name="moonshot",
        title="Moonshot",
        aliases=("kimi",),
        base_url="https://api.moonshot.ai/v1",
        key_variables=("MOONSHOT_API_KEY",),
        default_model="kimi-latest",
        replays_reasoning=True,
    ),
    Vendor(
        name="qwen",
        title="Qwen",
        aliases=("dashscope",),
        base_url="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_variables=("DASHSCOPE_API_KEY",),
        default_model="qwen-plus",
    ),
    Vendor(
        name="xai",
        title="xAI",
        aliases=("grok",),
        base_url="https://api.x.ai/v1",
        key_variables=("XAI_API_KEY",),
    ),
)
