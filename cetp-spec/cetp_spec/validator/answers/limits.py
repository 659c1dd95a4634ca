"""Limits that consumers and LLM vendors set for tools and replies (spec 12, 13.4)."""

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
"""What one Binder call carries at best: 500,000 characters, as Java strings take two bytes for each."""
LARGE_REPLY_BYTES = 400_000
"""From here on (200,000 characters) a few calls side by side fill the buffer that they share."""
