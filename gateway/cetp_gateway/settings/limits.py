"""Settings of every bound on what others may send or hold: `[limits]`."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.settings.values import Bytes, Count, Seconds, Section


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
    kept_results: Count = 32
    """Longer results of one session that its tools can reach whole (docs/tools.md); the oldest give way to new ones."""
    kept_session_bytes: Bytes = 16 * 1024 * 1024
    """All of them in one session, in memory."""
    kept_bytes: Bytes = 64 * 1024 * 1024
    """All of them in all sessions."""
    kept_results_s: Seconds = 3600.0
    """Each of them; a restart and the deletion of the session end it earlier."""
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
