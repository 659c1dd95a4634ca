"""Limits that consumers and LLM vendors set for tools and replies (spec 12)."""

SCHEMA_BYTES = 64 * 1024
"""A tool's schema as JSON; consumers hold back what is larger."""
SCHEMA_DEPTH = 32
SCHEMA_REFS = 64
LARGE_SCHEMA_BYTES = 8 * 1024
"""From here on a schema costs some thousand tokens in every request."""
DEEP_SCHEMA = 16
"""Nesting in JSON, about six levels of objects; strict modes of vendors stop near there."""
DESCRIPTION_CHARS = 1024
"""OpenAI-style endpoints refuse a longer description."""
TOOLS = 128
"""OpenAI-style endpoints take no more in one request."""
TOOLS_READ = 1024
"""Consumers register no more tools of one device."""
BINDER_BYTES = 1_000_000
"""The buffer of all Binder calls of a process is 1 MiB less some pages; Java strings take two bytes per character."""
LARGE_REPLY_BYTES = 256 * 1024
"""Four such replies at a time fill the buffer."""
