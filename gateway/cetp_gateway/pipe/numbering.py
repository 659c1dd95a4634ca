"""The host's watch over `seq` (pipe 5.3). No I/O."""

from cetp_gateway.pipe.stable_json import MAX_INTEGER
from cetp_spec.pipe import PipeCode


def number_in(message: dict[str, object]) -> int:
    """The `seq` of a message; 0 when it has none that could be one."""
    seq = message.get("seq")
    if isinstance(seq, float) and seq.is_integer():
        seq = int(seq)
    if isinstance(seq, bool) or not isinstance(seq, int) or not 1 <= seq <= MAX_INTEGER:
        return 0
    return seq


class Numbering:
    """Which number may come next."""

    __slots__ = ("_last", "_unread")

    def __init__(self) -> None:
        self._last = 0
        self._unread = 0

    def problem(self, seq: int) -> tuple[PipeCode, str] | None:
        """None when the number is right, else the code and a sentence. Changes nothing."""
        if seq <= self._last:
            return PipeCode.PIPE_SEQ_DUPLICATE, f"seq {seq} is not above the last one taken, {self._last}"
        if seq > self._last + 1 + self._unread:
            return PipeCode.PIPE_SEQ_OUT_OF_ORDER, f"seq {seq} does not follow {self._last}, the last one taken"
        return None

    def take(self, seq: int) -> None:
        """A signed command with this number has come."""
        self._last = seq
        self._unread = 0

    def pass_over(self) -> None:
        """A line was refused that may have used a number up."""
        self._unread += 1
