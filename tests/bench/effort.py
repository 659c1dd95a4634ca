"""How long and how often to measure."""

import msgspec


class Effort(msgspec.Struct, frozen=True):
    """Repetitions and seconds of each."""

    repetitions: int
    seconds: float
    phones: int
    """Of a large fleet."""


FULL = Effort(repetitions=5, seconds=1.5, phones=1000)
QUICK = Effort(repetitions=3, seconds=0.6, phones=300)
