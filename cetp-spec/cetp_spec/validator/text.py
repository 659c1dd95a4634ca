"""Untrusted text made fit for one line of a terminal or a log."""

SHOWN_CHARS = 80
"""Longest quotation of foreign text in a message."""


def printable(text: str) -> str:
    """The text with control, format and lone surrogate characters spelled out, so that it cannot steer a terminal."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def quoted(text: str, limit: int = SHOWN_CHARS) -> str:
    """The text in double quotes, on one line, cut to `limit` characters."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return f'"{printable(cut)}"'


def listed(names: list[str] | tuple[str, ...], limit: int = 5) -> str:
    """Quoted names with commas; the rest is counted when there are more than `limit`."""
    shown = ", ".join(quoted(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def encodable(text: str) -> str:
    """The text with unpaired surrogates spelled out, so that it can be written as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
