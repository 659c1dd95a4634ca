"""Marks text from a device as data. A phone's apps, and whoever writes to them, are not the user."""

import html
import re
from typing import Final

from cetp_gateway.api import Origin

_TAG: Final = re.compile(r"<(?=\s*+/?+\s*+tool_output)", re.IGNORECASE)
_ATTRIBUTE_CHARS: Final = 100
"""Longest device label or package name that is shown."""

_WORD: Final = re.compile(r"[A-Za-z]{1,16}|[+-]?\d[\d.:%+-]{0,31}")
"""One word, number or date: too little to ask for anything, and the tags would cost more tokens than it has. No
letters beside signs: `delete-all-notes` is a sentence.
"""


def wrap_untrusted(text: str, origin: Origin) -> str:
    """The text between tags that name its origin; tags of this name inside it lose their `<`. A single word or
    number stays as it is.
    """
    if _WORD.fullmatch(text):
        return text
    attributes = f'device="{_attribute(origin.device)}"'
    if origin.app:
        attributes += f' app="{_attribute(origin.app)}"'
    return f"<tool_output {attributes}>\n{_TAG.sub('&lt;', text)}\n</tool_output>"


def _attribute(value: str) -> str:
    return html.escape(" ".join(value.split())[:_ATTRIBUTE_CHARS])
