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
    calls_whole: bool = False
    """Calls come only in answers that are not streamed, and only when `tool_choice` asks for them; a message with
    calls and without text must have an empty one.
    """
    takes_effort: bool = False
    """`reasoning_effort` is understood."""
    needs_base_url: str = ""
    """How its addresses look, when each customer has another one; `model.base_url` must then be set."""
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

BEDROCK: Final = Vendor(
    name="bedrock",
    title="Claude on Bedrock",
    aliases=("aws", "aws-bedrock"),
    base_url="https://bedrock-mantle.{region}.api.aws/anthropic",
    key_variables=("AWS_BEARER_TOKEN_BEDROCK",),
    default_model="anthropic.claude-sonnet-5-5",
    tools=ANTHROPIC.tools,
    call_ids=WORDS_64,
)
"""Anthropic's Messages API as AWS serves it, with a Bedrock API key."""

OPENAI: Final = Vendor(
    name="openai",
    title="OpenAI",
    base_url="https://api.openai.com/v1",
    key_variables=("OPENAI_API_KEY",),
    default_model="gpt-6-luna",
    tools=ToolLimits(dialect=OPENAI_SCHEMAS, description_chars=1024),
    limit_field="max_completion_tokens",
    takes_effort=True,
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


def _hosted(
    name: str,
    title: str,
    base_url: str,
    key: str,
    *,
    model: str = "",
    aliases: tuple[str, ...] = (),
    effort: bool = False,
) -> Vendor:
    """A vendor without peculiarities that we know of."""
    return Vendor(
        name=name,
        title=title,
        aliases=aliases,
        base_url=base_url,
        key_variables=(key,),
        default_model=model,
        takes_effort=effort,
    )


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
        name="llama-cpp-python",
        title="llama-cpp-python",
        base_url="http://localhost:8000/v1",
        own_server=True,
        start_hint="Start it with `python -m llama_cpp.server --chat_format chatml-function-calling --model FILE`.",
        calls_whole=True,
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
        takes_effort=True,
    ),
    Vendor(
        name="groq",
        title="Groq",
        base_url="https://api.groq.com/openai/v1",
        key_variables=("GROQ_API_KEY",),
        default_model="openai/gpt-oss-120b",
        takes_effort=True,
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
        takes_effort=True,
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
        takes_effort=True,
    ),
    Vendor(
        name="azure",
        title="Azure OpenAI",
        aliases=("azure-openai",),
        base_url="",
        needs_base_url="https://RESOURCE.openai.azure.com/openai/v1",
        key_variables=("AZURE_OPENAI_API_KEY",),
        tools=OPENAI.tools,
        limit_field="max_completion_tokens",
        takes_effort=True,
    ),
    _hosted("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", effort=True),
    _hosted("cohere", "Cohere", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY"),
    _hosted("deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
    _hosted("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY", effort=True),
    _hosted("github", "GitHub Models", "https://models.github.ai/inference", "GITHUB_TOKEN"),
    _hosted("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "HF_TOKEN", aliases=("hf",)),
    _hosted("minimax", "MiniMax", "https://api.minimax.io/v1", "MINIMAX_API_KEY"),
    _hosted("nvidia", "NVIDIA", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY", aliases=("nim",)),
    _hosted("perplexity", "Perplexity", "https://api.perplexity.ai", "PERPLEXITY_API_KEY", model="sonar"),
    _hosted("sambanova", "SambaNova", "https://api.sambanova.ai/v1", "SAMBANOVA_API_KEY"),
    _hosted("siliconflow", "SiliconFlow", "https://api.siliconflow.cn/v1", "SILICONFLOW_API_KEY"),
    _hosted("volcengine", "Volcengine", "https://ark.cn-beijing.volces.com/api/v3", "ARK_API_KEY", aliases=("doubao",)),
    _hosted("zai", "Z.ai", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY", aliases=("glm",)),
    _hosted("zhipu", "Zhipu", "https://open.bigmodel.cn/api/paas/v4", "ZHIPUAI_API_KEY", aliases=("bigmodel",)),
)

VENDORS: Final = (ANTHROPIC, BEDROCK, *OPENAI_COMPATIBLE)
"""All that ship with the project."""
