"""Images in results, which models are given as text: a base64 picture would be a hundred thousand tokens."""

import re
from typing import Final

_IMAGE: Final = re.compile(r"data:(image\\?/[\w.+-]{1,40});base64,([\w+/=\\-]{256,}+)")
"""A data URL (RFC 2397) of some size. Android's JSON writes `/` as `\\/`."""


def leave_out_images(text: str) -> str:
    """The text with a short note in the place of every embedded picture; small icons stay."""
    if ";base64," not in text:
        return text
    return _IMAGE.sub(_note, text)


def _note(found: re.Match[str]) -> str:
    kind = found[1].replace("\\", "")
    kibibytes = max(len(found[2]) * 3 // 4 // 1024, 1)
    return f"[{kind} of {kibibytes} KiB left out: pictures cannot be shown here]"
