"""Whether a log can be followed by `seq` (pipe 10)."""

import re
from collections.abc import Sequence

from cetp_gateway.pipe.check.findings import Unfit


def lines_with(log: Sequence[str], seq: int) -> list[str]:
    """The lines that name this number: `seq=7`, `seq: 7`, `"seq":7`."""
    named = re.compile(rf"\bseq\W{{1,4}}{seq}\b")
    return [line for line in log if named.search(line)]


def check_followed(log: Sequence[str], seqs: Sequence[int], least: int) -> str:
    """Each number stands in so many lines at least. Raises Unfit."""
    for seq in seqs:
        found = lines_with(log, seq)
        if len(found) < least:
            raise Unfit(f"standard error has {len(found)} lines with seq={seq}; {least} are needed")
    return f"{least} lines and more for each of {len(seqs)} numbers"


def check_names(log: Sequence[str], word: str) -> None:
    """Some line has this word. Raises Unfit."""
    if not any(word in line for line in log):
        raise Unfit(f"standard error does not name {word}")
