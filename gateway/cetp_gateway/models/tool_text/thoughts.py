"""Thoughts that a model writes into its answer, told from the answer: `<think>…</think>` and its relatives.

Only at the beginning: further back the words are the answer's own.
"""

from typing import Final

PAIRS: Final = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
)


class Thoughts:
    """Feed it pieces; each comes back as thought and answer."""

    def __init__(self) -> None:
        self._waiting = ""
        self._end = ""
        """What ends the open thought."""
        self._over = False

    def feed(self, piece: str) -> tuple[str, str]:
        if self._over:
            return "", piece
        self._waiting += piece
        if not self._end and not self._open():
            return "", self._take() if self._over else ""
        return self._through()

    def _open(self) -> bool:
        """A thought begins here; decides, when it can, that none does."""
        text = self._waiting.lstrip()
        for begin, end in PAIRS:
            if text.startswith(begin):
                self._waiting, self._end = text[len(begin) :], end
                return True
        self._over = not any(begin.startswith(text) for begin, _ in PAIRS)
        return False

    def _through(self) -> tuple[str, str]:
        at = self._waiting.find(self._end)
        if at >= 0:
            thought, answer = self._waiting[:at], self._waiting[at + len(self._end) :]
            self._over, self._waiting = True, ""
            return thought, answer
        kept = max((size for size in range(1, len(self._end)) if self._waiting.endswith(self._end[:size])), default=0)
        cut = len(self._waiting) - kept
        thought, self._waiting = self._waiting[:cut], self._waiting[cut:]
        return thought, ""

    def end(self) -> str:
        """What still waited at the end of the answer; belongs to the answer unless a thought is open."""
        return "" if self._end and not self._over else self._take()

    def _take(self) -> str:
        text, self._waiting = self._waiting, ""
        return text
