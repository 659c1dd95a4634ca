"""The pairing link: all that a phone needs to pair, to be tapped or scanned (spec 13.5). Plain text in and out.

It holds the one-time code and never a token.
"""

import ipaddress
import re
from urllib.parse import quote, unquote_to_bytes, urlsplit

import msgspec

from cetp_gateway.errors import PairingError

START = "cetp://pair"
_MAX_CHARS = 2048
_CODE = re.compile(r"\d{4}-\d{4}-\d{4}", re.ASCII)
_PIN = re.compile(r"sha256/[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?:{_LABEL}\.)*(?![0-9]+$|0x[0-9a-f]*$){_LABEL}")
_ESCAPED = re.compile(r"(?:[^%]|%[0-9A-Fa-f]{2})*")
_NAMES = {"gateway", "code", "pin"}


class PairingLink(msgspec.Struct, frozen=True, kw_only=True):
    """What the link says."""

    gateway: str
    """`http(s)://HOST:PORT`."""
    code: str
    """1234-5678-9012; secret while it is good."""
    pin: str | None = None
    """`sha256/BASE64` of the key of a gateway with https; None when the phone's own authorities decide."""

    def __str__(self) -> str:
        """The link as text."""
        pin = f"&pin={_escaped(self.pin)}" if self.pin else ""
        return f"{START}?gateway={_escaped(self.gateway)}&code={self.code}{pin}"

    def __repr__(self) -> str:
        """Without the code."""
        return f"PairingLink(gateway={self.gateway!r})"


def read_pairing_link(text: str) -> PairingLink:
    """Read a link from anywhere.

    Raises:
        PairingError: it is not exactly a pairing link; the sentence holds nothing of it.
    """
    start, _, query = text.strip().partition("?")
    if len(text) > _MAX_CHARS or start.lower().removesuffix("/") != START:
        raise PairingError(f"This is no pairing link; one begins with {START}?gateway=.")
    parts = _parts(query)
    gateway, code, pin = _gateway(parts["gateway"]), _code(parts["code"]), parts.get("pin")
    if pin is not None and not _PIN.fullmatch(pin):
        raise PairingError("The pairing link's pin is not sha256/BASE64.")
    if pin is not None and not gateway.startswith("https:"):
        raise PairingError("The pairing link has a pin, but its gateway is not https.")
    return PairingLink(gateway=gateway, code=code, pin=pin)


def _parts(query: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in query.split("&")]
    parts = {name: _unescaped(value) for name, _, value in pairs}
    if len(parts) != len(pairs) or not {"gateway", "code"} <= parts.keys() <= _NAMES or not all(parts.values()):
        raise PairingError("The pairing link has a part that is missing, unknown, repeated or unreadable.")
    return parts


def _gateway(text: str) -> str:
    trouble = "The pairing link's gateway is not http://HOST:PORT or https://HOST:PORT."
    try:
        parts = urlsplit(text)
        own_port = {"http": 80, "https": 443}[parts.scheme]
        port = own_port if parts.port is None else parts.port
    except (ValueError, KeyError):
        raise PairingError(trouble) from None
    host = parts.hostname or ""
    beside = parts.path not in {"", "/"} or "?" in text or "#" in text or "@" in text or parts.netloc.endswith(":")
    if port == 0 or beside or not _is_host(host):
        raise PairingError(trouble)
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _is_host(host: str) -> bool:
    """An address that something can be reached at, or a name that no system takes for a number."""
    try:
        return not ipaddress.ip_address(host).is_unspecified and "%" not in host
    except ValueError:
        return _NAME.fullmatch(host) is not None


def _code(text: str) -> str:
    digits = text.replace("-", "")
    if not (_CODE.fullmatch(text) or (digits == text and len(digits) == 12 and digits.isascii() and digits.isdigit())):
        raise PairingError("The pairing link's code is not 12 digits.")
    return f"{digits[:4]}-{digits[4:8]}-{digits[8:]}"


def _escaped(text: str) -> str:
    return quote(text, safe=":/")


def _unescaped(text: str) -> str:
    """Printable ASCII; empty, which no part may be, for anything else. A plus is a plus: this is no form."""
    plain = unquote_to_bytes(text)
    good = _ESCAPED.fullmatch(text) is not None and all(0x21 <= byte <= 0x7E for byte in plain)
    return plain.decode("ascii") if good else ""
