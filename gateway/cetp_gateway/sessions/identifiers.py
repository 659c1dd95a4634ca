"""Session ids: they stand in paths that existing clients do not encode, so their alphabet is narrow."""

import re
import uuid

_PATTERN = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def is_session_id(text: str) -> bool:
    """1 to 128 of [A-Za-z0-9_.-], and no name that a path would take apart."""
    return _PATTERN.fullmatch(text) is not None and text not in {".", ".."}


def new_session_id() -> str:
    """A fresh random id (UUID version 4)."""
    return str(uuid.uuid4())
