"""A turn on a terminal: frames of the chat socket as lines for people, as they come."""

import json
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from rich.text import Text

SHOWN_CHARS: Final = 240
"""Of a call's arguments or result; the model was given all of it."""

ENDS: Final = frozenset({"done", "aborted", "error"})
"""Frames that end a turn."""


class TurnPrinter:
    """Prints one conversation. `show` takes every frame; unknown ones are passed over."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._in_text = False

    def question(self, text: str) -> None:
        """Show what is asked."""
        self._line(Text.assemble(("? ", "bold cyan"), (text, "bold")))

    def note(self, text: str) -> None:
        """Show a remark of the program's own."""
        self._line(Text(text, "yellow"))

    def show(self, frame: Mapping[str, Any]) -> None:
        """Show a frame."""
        match frame["type"]:
            case "chunk":
                self._console.print(printable(frame["content"]), end="", markup=False, highlight=False, soft_wrap=True)
                self._in_text = not frame["content"].endswith("\n")
            case "tool_call":
                arguments = json.dumps(frame["args"], ensure_ascii=False)
                self._line(Text.assemble(("→ ", "green"), (frame["name"], "green"), f" {_short(arguments)}"))
            case "tool_result":
                self._line(Text.assemble(("← ", "green"), (_short(frame["output"]), "dim")))
            case "title_updated":
                self._line(Text(f"[{frame['title']}]", "dim"))
            case "error" if "component" not in frame:
                self._line(Text(f"Error: {frame['message']}", "red"))
            case "aborted":
                self._line(Text("(stopped)", "yellow"))
            case "done":
                self._end_text()

    def _line(self, text: Text) -> None:
        self._end_text()
        text.plain = printable(text.plain)
        self._console.print(text, soft_wrap=True)

    def _end_text(self) -> None:
        if self._in_text:
            self._console.print()
            self._in_text = False


def printable(text: str) -> str:
    """The text without what would steer the terminal: whoever wrote it, an app or a model, only writes."""
    return "".join(char for char in text if char in "\n\t" or char.isprintable())


def _short(text: str) -> str:
    """One line, its end left out when it is long."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARS else f"{line[:SHOWN_CHARS]}… ({len(line)} characters)"
