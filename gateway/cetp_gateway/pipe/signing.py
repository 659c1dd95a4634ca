"""Keys and signatures of commands (pipe 6). Plain functions of values, and a signer that shows its key to nobody."""

import hmac
import re

_SALT = b"cetp-browser-pipe/1.0"
_INFO = b"command-hmac"
_SEED = re.compile(r"(?:[0-9a-f]{2}){32,64}")


class BadSeed(ValueError):
    """The seed is not 64 to 128 lower-case hex digits (pipe 4.1)."""


def derive_key(seed: str) -> bytes:
    """HKDF-SHA256 (RFC 5869) of the seed's bytes, 32 bytes long. Raises BadSeed."""
    if not _SEED.fullmatch(seed):
        raise BadSeed("hmac_seed must be 64 to 128 lower-case hex digits, an even number of them")
    extracted = hmac.digest(_SALT, bytes.fromhex(seed), "sha256")
    # One block is all that 32 bytes need.
    return hmac.digest(extracted, _INFO + b"\x01", "sha256")


def signed_text(seq: int, action: str, stable_params: bytes, expected_domain: str) -> bytes:
    """The bytes that are signed (pipe 6.2)."""
    return b"%d\n%b\n%b\n%b" % (seq, action.encode(), stable_params, expected_domain.encode())


class Signer:
    """Signs and checks with the key of one session. Raises BadSeed when made of a seed that is none."""

    __slots__ = ("_key",)

    def __init__(self, seed: str) -> None:
        self._key = derive_key(seed)

    def sign(self, text: bytes) -> str:
        """The signature in lower-case hex."""
        return hmac.digest(self._key, text, "sha256").hex()

    def fits(self, text: bytes, signature: str) -> bool:
        """Whether the signature, any text, is the right one; compared in constant time (pipe 6.4)."""
        return hmac.compare_digest(self.sign(text).encode(), signature.encode(errors="replace"))
