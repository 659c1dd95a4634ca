"""Names that people gave to devices, made fit to be shown: one line, no control characters, bounded."""

import re
import unicodedata

NAME_CHARS = 64
"""Characters of a device's name; longer ones are cut."""

DEVICE_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")
"""What a client may call its device by."""


def clean_name(text: str) -> str:
    """`text` without control and format characters, blanks run together; may be empty."""
    shown = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text[: NAME_CHARS * 4])
    return " ".join(shown.split())[:NAME_CHARS].rstrip()
