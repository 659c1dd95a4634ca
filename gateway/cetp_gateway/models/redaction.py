"""Takes what looks like a secret out of text that others wrote, before people or logs see it."""

import re
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = "[hidden]"
PATTERNS: Final = (
    re.compile(r"(?i)\b(?:bearer|basic)\s+[^\s,;\"']+"),
    re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|nvapi|key|token)[-_][A-Za-z0-9*._-]{6,}"),
    re.compile(r"\bAIza[A-Za-z0-9*_-]{10,}"),
    re.compile(r"(?i)\b(?:api[-_ ]?key|token|secret|password)\s*[=:]\s*[^\s,;\"']+"),
    re.compile(r"(?<=//)[^/\s:@]+:[^/\s@]+(?=@)"),
    re.compile(r"\b[0-9a-fA-F]{24,}\b"),
    # Letters of both cases and digits mixed in one long run: base64, not a word or a path.
    re.compile(r"(?=[A-Za-z0-9+/_=-]*[0-9])(?=[A-Za-z0-9+/_=-]*[a-z])(?=[A-Za-z0-9+/_=-]*[A-Z])[A-Za-z0-9+/_=-]{32,}"),
)


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with `[hidden]` in place of known secrets and of what looks like a key."""
    for secret in secrets:
        if len(secret) >= 4:
            text = text.replace(secret, HIDDEN)
    for pattern in PATTERNS:
        text = pattern.sub(HIDDEN, text)
    return text


def quotable(text: str, secrets: Iterable[str] = (), *, limit: int = 300) -> str:
    """One line that may be shown: no control characters, no secrets, at most `limit` characters."""
    # Cut before redacting as well: patterns are tried at every letter, and the text may be huge.
    one_line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * limit]).split())
    clean = redact(one_line, secrets)
    return clean if len(clean) <= limit else clean[: limit - 1].rstrip() + "…"
