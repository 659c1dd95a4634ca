"""What the policy knows of calls that have begun and not ended: when they began, and what let them run.

Above: `security_policy`. Below: nothing.
"""

import msgspec


class OpenCall(msgspec.Struct, gc=False):
    """One call's state."""

    began: float
    """Of `time.perf_counter`."""
    decision: str = "policy"
    by: str = ""
    line: str = ""
    """The line of the action limit in which it was counted; empty when it was not."""
    may_run: bool = False
    """The guard has permitted it: it may have had an effect."""
