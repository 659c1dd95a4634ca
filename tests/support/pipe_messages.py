"""Messages of the pipe for tests: signed commands, filled in from the vectors' patterns, and how answers fit them."""

from typing import Any

import msgspec

from cetp_gateway.pipe.signing import Signer, signed_text
from cetp_gateway.pipe.stable_json import stable_json
from cetp_spec.matching import mismatch

SEED = "00" * 32
DOMAIN = "example.org"


def hmac_of(seed: str, message: dict[str, Any], *, seq: int | None = None) -> str:
    """The right signature of a command; of the same command with another number if one is given."""
    text = signed_text(
        message["seq"] if seq is None else seq,
        message["action"],
        stable_json(message["params"]),
        message["security"]["expected_domain"],
    )
    return Signer(seed).sign(text)


def signed(message: dict[str, Any], seed: str) -> dict[str, Any]:
    """A message with `{"$hmac": …}` filled in (pipe 12.4)."""
    wanted = message.get("security", {}).get("hmac") if isinstance(message.get("security"), dict) else None
    if not isinstance(wanted, dict):
        return message
    other = message["seq"] + 1 if wanted["$hmac"] == "other" else None
    return {**message, "security": {**message["security"], "hmac": hmac_of(seed, message, seq=other)}}


def command(
    seq: int, action: str = "getPage", params: dict[str, Any] | None = None, *, seed: str = SEED, domain: str = DOMAIN
) -> bytes:
    """A line, without its line feed, that a host must take."""
    message = {
        "seq": seq,
        "type": "command",
        "action": action,
        "params": params or {},
        "security": {"expected_domain": domain, "hmac": {"$hmac": "right"}},
    }
    return msgspec.json.encode(signed(message, seed))


def assert_fits(pattern: dict[str, Any], line: bytes) -> None:
    problem = mismatch(pattern, msgspec.json.decode(line), {})
    assert problem is None, f"{problem} in {line!r}"
