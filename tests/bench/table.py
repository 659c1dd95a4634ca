"""The table: what is measured, what must be reached, and what is aimed at."""

from collections.abc import Sequence

import msgspec

from .processes.samples import median, spread


class Row(msgspec.Struct, frozen=True):
    """One demand."""

    key: str
    what: str
    unit: str
    must: float
    aim: float
    steady: bool = False
    """Repeats within some percent whatever else the machine does: falling short is a failure."""

    @property
    def number(self) -> str:
        """The key without the letter that tells rows of one number apart."""
        return self.key.rstrip("abcdefghijklmnopqrstuvwxyz")


class Result(msgspec.Struct, frozen=True):
    """What was measured for a row."""

    row: Row
    values: tuple[float, ...]
    """In the row's unit, one for each repetition."""
    note: str = ""

    @property
    def value(self) -> float:
        return median(self.values)

    @property
    def spread(self) -> float:
        return spread(self.values)

    @property
    def verdict(self) -> str:
        if self.value <= self.row.aim:
            return "aim"
        return "must" if self.value <= self.row.must else "SHORT"

    @property
    def failed(self) -> bool:
        return self.row.steady and self.value > self.row.must


ROUND_TRIP = Row("1", "tool call, HTTP → phone → HTTP, 1 in flight, p50", "E", 1.5, 1.2)
CPU = Row("2", "gateway CPU per call, 64 in flight", "S", 1.8, 1.3, steady=True)
TAIL = Row("3", "p99 / p50, 64 in flight, 1000 phones", "", 1.5, 1.2)
MEMORY_SAME = Row("4a", "memory per idle phone, 50 tools, all the same", "KiB", 24, 19, steady=True)
MEMORY_DIFFERENT = Row("4b", "memory per idle phone, 50 tools, all different", "KiB", 24, 19, steady=True)
REGISTRATION = Row("5", "register 1000 phones × 50 tools, all different", "s", 1.2, 0.6, steady=True)
STOP = Row("6", "longest stop of the event loop by hostile input", "ms", 15, 2)
RESIDENT = Row("7a", "idle RSS / bare uvicorn + starlette", "", 1.3, 1.15)
START = Row("7b", "start to first answer / bare uvicorn + starlette", "", 1.5, 1.3)
SENTENCE = Row("8a", "memory of 100 000: a sentence, top 10, p50", "ms", 5, 3)
CHINESE = Row("8b", "memory of 100 000: two Chinese letters, top 10, p50", "ms", 0.5, 0.3)
CHINESE_MISSED = Row("8c", "entries with two Chinese letters that are not found", "%", 0, 0, steady=True)
MEANING = Row("8d", "100 000 vectors of 384: top 10 without numpy, p50", "ms", 10, 8)
MEANING_NUMPY = Row("8e", "100 000 vectors of 384: top 10 with numpy, p50", "ms", 10, 4)
MEANING_MISSED = Row("8f", "of the true ten nearest that are not found", "%", 1, 0.1, steady=True)
STORE = Row("8g", "memory of 100 000: store one more, p50", "ms", 1, 0.5)
WAKING = Row("8h", "memory of 100 000: what it adds to the start", "ms", 100, 20, steady=True)
DISCOVERY = Row("9a", "bridge: 20 apps × 20 tools found, on the host's JVM", "s", 1, 0.5)
OVERHEAD = Row("9b", "bridge: a call, frame → app → frame, on the host's JVM, p50", "ms", 1, 0.3)
BRIDGE_APK = Row("9c", "APK of the bridge", "MB", 3, 2, steady=True)
SAMPLE_APK = Row("9d", "APK of the sample", "MB", 1, 0.5, steady=True)
TOOL_TOKENS = Row("11a", "tokens of tools in a request, 20 apps × 20 tools, p50", "", 8000, 4000, steady=True)
TOOL_MISSED = Row("11b", "questions whose tool is not among the first five found", "%", 5, 2, steady=True)
TOOL_FIND = Row("11c", "find a tool among 5200, p50", "ms", 5, 2)
OFFER_ALL = Row("11d", "what choosing adds to a turn when all tools fit, p50", "ms", 0.5, 0.1)
OFFER_FEW = Row("11e", "what choosing adds to a turn with 20 apps × 20 tools, p50", "ms", 5, 2)
PIPE_ROUND_TRIP = Row("10a", "browser pipe: a command that does nothing, through both programs, p50", "echoes", 3, 2)
PIPE_SIGNATURE = Row("10b", "browser pipe: sign and check a command of 1 KB", "µs", 20, 12, steady=True)
PIPE_HMAC = Row("10c", "the same / one bare HMAC-SHA256 of it", "", 8, 5)
PIPE_GROWTH = Row("10d", "browser pipe: what 10 000 commands leave in memory, both sides", "KiB", 256, 64, steady=True)

ROWS: Sequence[Row] = (
    ROUND_TRIP,
    CPU,
    TAIL,
    MEMORY_SAME,
    MEMORY_DIFFERENT,
    REGISTRATION,
    STOP,
    RESIDENT,
    START,
    SENTENCE,
    CHINESE,
    CHINESE_MISSED,
    MEANING,
    MEANING_NUMPY,
    MEANING_MISSED,
    STORE,
    WAKING,
    DISCOVERY,
    OVERHEAD,
    BRIDGE_APK,
    SAMPLE_APK,
    PIPE_ROUND_TRIP,
    PIPE_SIGNATURE,
    PIPE_HMAC,
    PIPE_GROWTH,
    TOOL_TOKENS,
    TOOL_MISSED,
    TOOL_FIND,
    OFFER_ALL,
    OFFER_FEW,
)
