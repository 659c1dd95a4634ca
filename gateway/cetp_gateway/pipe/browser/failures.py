"""What goes wrong in a browser, as the pipe's codes with sentences of our own (pipe 7).

A page decides much of what Playwright's messages say; none of it is passed on.
"""

import re
from typing import Any

import msgspec
from playwright.async_api import Error
from playwright.async_api import TimeoutError as Late

from cetp_gateway.pipe.values import Failed
from cetp_spec.pipe import PipeCode


class CommandFailed(Exception):
    """Ends a command; `executed` says whether the page may have noticed it."""

    def __init__(self, code: PipeCode, message: str, **details: Any) -> None:
        super().__init__(message)
        self.failed = Failed(code, message, details)


class _Known(msgspec.Struct, frozen=True):
    words: str
    code: PipeCode
    sentence: str


_KNOWN = (
    _Known("while parsing css selector", PipeCode.CMD_SELECTOR_INVALID, "The selector is not CSS."),
    _Known("is not a valid selector", PipeCode.CMD_SELECTOR_INVALID, "The selector is not CSS."),
    _Known("not a <select>", PipeCode.CMD_NOT_A_FIELD, "The element is not a list to select from."),
    _Known("not an <input>", PipeCode.CMD_NOT_A_FIELD, "The element takes no text."),
    _Known("cannot be filled", PipeCode.CMD_NOT_A_FIELD, "Fields of this type take no text; click them."),
    _Known("Cannot type text", PipeCode.CMD_NOT_A_FIELD, "The field takes numbers only."),
    _Known("Malformed value", PipeCode.CMD_NOT_A_FIELD, "The field takes another form of text, such as 2026-12-31."),
    _Known("did not find some options", PipeCode.CMD_OPTION_NOT_FOUND, "The list has no such option."),
    _Known("option being selected is not", PipeCode.CMD_OPTION_NOT_FOUND, "The option cannot be chosen now."),
    _Known("Unknown key", PipeCode.CMD_KEY_UNKNOWN, "There is no such key; write Enter, a or Control+a."),
    _Known("Download is starting", PipeCode.CMD_NAVIGATION_FAILED, "The address is a download; it was refused."),
    _Known("interrupted by another navigation", PipeCode.CMD_NAVIGATION_FAILED, "The page went elsewhere meanwhile."),
    _Known("Page crashed", PipeCode.INTERNAL_BROWSER_CLOSED, "The page has crashed; the next command gets a new one."),
    _Known(
        "Target crashed", PipeCode.INTERNAL_BROWSER_CLOSED, "The page has crashed; the next command gets a new one."
    ),
    _Known("has been closed", PipeCode.INTERNAL_BROWSER_CLOSED, "The browser has ended; the next command starts it."),
    _Known("Connection closed", PipeCode.INTERNAL_BROWSER_CLOSED, "The browser has ended; the next command starts it."),
)
_OBSTACLES = (
    ("intercepts pointer events", "another element covers it"),
    ("element is not enabled", "it is disabled"),
    ("element is not editable", "it is read-only"),
    ("element is not visible", "it is not visible"),
    ("element is not stable", "it does not stop moving"),
    ("outside of the viewport", "it cannot be scrolled into view"),
)
_AMBIGUOUS = re.compile(r"strict mode violation.* resolved to (\d+) elements", re.DOTALL)
_NETWORK = re.compile(r"net::(ERR_[A-Z0-9_]+)")
_NOT_THERE = "not attached to the DOM"
_REPLACED = ("Execution context was destroyed", "Frame was detached", "has been detached")
_UNDER_WAY = "performing click action"


def never_began(error: Error) -> bool:
    """The element had been replaced before anything was done to it."""
    return _NOT_THERE in error.message


def is_replaced(error: Error) -> bool:
    """The page has replaced the element, or itself."""
    return never_began(error) or any(words in error.message for words in _REPLACED)


def translated(error: Error) -> CommandFailed:
    """Playwright's error as the pipe's."""
    said = error.message
    if found := _AMBIGUOUS.search(said):
        return ambiguous(int(found[1]))
    for known in _KNOWN:
        if known.words in said:
            return CommandFailed(known.code, known.sentence)
    if found := _NETWORK.search(said):
        return CommandFailed(PipeCode.CMD_NAVIGATION_FAILED, f"The page could not be loaded ({found[1]}).")
    if isinstance(error, Late):
        return _late(said)
    if is_replaced(error):
        return CommandFailed(PipeCode.CMD_SELECTOR_TIMEOUT, "The page kept replacing the element.")
    return CommandFailed(PipeCode.INTERNAL_UNKNOWN, "The browser could not do that; its host's log says more.")


def replaced_meanwhile() -> CommandFailed:
    """Nobody knows how far an action got; a code that is not tried again."""
    sentence = "The page was replaced while the action was under way; it may have been carried out."
    return CommandFailed(PipeCode.CMD_WAIT_TIMEOUT, sentence, executed=True)


def ambiguous(count: int) -> CommandFailed:
    """More than one element where one is to be acted on."""
    sentence = f"The selector fits {count} elements; name one of them."
    return CommandFailed(PipeCode.CMD_SELECTOR_AMBIGUOUS, sentence, count=count)


def _late(said: str) -> CommandFailed:
    if _UNDER_WAY in said:
        # No code that is tried again: the click has been made.
        sentence = "The click was made, but the page did not get through with it in time."
        return CommandFailed(PipeCode.CMD_WAIT_TIMEOUT, sentence, executed=True)
    # The last obstacle is the one that was still there.
    standing = max((said.rfind(words), text) for words, text in _OBSTACLES)
    if standing[0] < 0:
        return CommandFailed(PipeCode.CMD_SELECTOR_TIMEOUT, "Nothing fitted the selector in time.")
    sentence = f"The element could not be acted on in time: {standing[1]}."
    return CommandFailed(PipeCode.CMD_SELECTOR_TIMEOUT, sentence)
