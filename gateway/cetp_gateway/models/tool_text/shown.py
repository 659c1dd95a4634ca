"""The part of an answer that can be shown while it streams: all talk up to the first thing that may be a call.

What is shown is always the beginning of what `answer` makes of the whole text. Above: `model`.
"""

from typing import Final

from cetp_gateway.models.tool_text.bare_calls import HEAD_CHARS, could_begin, looks_bare
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.react import THOUGHT
from cetp_gateway.models.tool_text.scanning import talk_of, walk

MAX_LINE: Final = 4096
"""Characters of a shown line that are kept; without a limit a line without end would be copied for each piece."""


class ShownText:
    """Feed it pieces, show what it returns.

    Args:
        bare: calls without marks of their own count.
    """

    def __init__(self, tools: OfferedNames, *, bare: bool) -> None:
        self._tools = tools
        self._bare = bare
        self._text = ""
        """What is undecided, and the shown beginning of its line."""
        self._shown = 0
        """How much of `_text` was shown."""
        self._fence = ""
        self._begun = False
        self._held = False

    def feed(self, piece: str) -> str:
        """What can be shown now; may be empty."""
        if self._held:
            return ""
        self._text += piece
        if not self._begun:
            self._text = self._text.lstrip()
            if not self._begins():
                return ""
        return "" if self._held else self._advance()

    def _begins(self) -> bool:
        """The beginning is decided: talk, or an answer that may be nothing but a call and is held to its end."""
        text = self._text
        if not text or (self._bare and THOUGHT.startswith(text)):
            return False
        if self._bare and could_begin(text):
            if len(text) < HEAD_CHARS:
                return False
            self._held = looks_bare(text[:HEAD_CHARS], self._tools)
        self._held = self._held or (self._bare and text.startswith(THOUGHT))
        self._begun = True
        return True

    def _advance(self) -> str:
        walked = walk(self._text, self._shown, self._tools, fence=self._fence, final=False)
        self._held, self._fence = walked.call, walked.fence
        said = talk_of(self._text[self._shown : walked.safe])
        self._shown += len(said)
        self._forget()
        return said

    def _forget(self) -> None:
        """Whole lines that were shown are done with. Of the last one the walk has to know that it has begun, and
        whether a piece of code is open in it.
        """
        line = self._text.rfind("\n", 0, self._shown) + 1
        self._text, self._shown = self._text[line:], self._shown - line
        if self._shown > MAX_LINE:
            beginning = self._text[: self._shown]
            self._text = ("`" if beginning.count("`") % 2 else "x") + self._text[self._shown :]
            self._shown = 1
