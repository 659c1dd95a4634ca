"""Whether and when a failed command is tried again (pipe 7.3), and a crashed agent (pipe 5.7). Plain functions."""

from cetp_gateway.pipe.values import Failed
from cetp_spec.pipe import rule

UNANSWERED = "unanswered"
"""Key of details: the agent itself gave the wait up, and the command may have run."""
EXECUTED = "executed"


def retry_wait_ms(failure: Failed, retries: int) -> int | None:
    """Milliseconds to wait before the next try, after so many retries; None when the failure is final."""
    if any(failure.details.get(key) is True for key in (EXECUTED, UNANSWERED)):
        return None
    waits = rule(failure.code).waits_ms
    return waits[retries] if retries < len(waits) else None
