"""What version 1.0 fixes for both sides (pipe 1, 5)."""

from collections.abc import Mapping
from typing import Any

VERSION = "1.0"

HANDSHAKE_S = 5.0
"""For `init_ack` to come, and for `init` (pipe 5.1)."""

DEFAULT_TIMEOUT_MS = 10_000
"""Of a command without `timeout_ms` (pipe 8.1)."""

ANSWER_GRACE_S = 5.0
"""How much longer than `timeout_ms` an agent waits (pipe 5.4)."""

CLOSE_S = 5.0
"""For an agent to end once its input has ended (pipe 5.6)."""

TERMINATE_S = 2.0
"""From SIGTERM to SIGKILL (pipe 5.6)."""


def limit_s(params: Mapping[str, Any]) -> float:
    """How long the host may take for a command with these params, in seconds."""
    timeout_ms = params.get("timeout_ms")
    return (timeout_ms if isinstance(timeout_ms, int) else DEFAULT_TIMEOUT_MS) / 1000
