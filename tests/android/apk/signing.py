"""Signing for development, with a key that is made at its first use and belongs to this checkout alone."""

from pathlib import Path

from .module import BUILD
from .tools import run

KEY = BUILD / "development-key.p12"
_PASSWORD = "pass:android"  # the usual one of keys for development, which protects nothing
_ALIAS = "development"


def sign(unsigned: Path, target: Path, min_sdk: int) -> None:
    """Align and sign an APK with the schemes 2 and 3, which every Android from 7 on checks."""
    if not KEY.is_file():
        _make_key()
    aligned = unsigned.with_suffix(".aligned")
    run("zipalign", "-f", "-p", "4", unsigned, aligned)
    run(
        *("apksigner", "sign", "--ks", KEY, "--ks-pass", _PASSWORD, "--ks-key-alias", _ALIAS),
        *("--min-sdk-version", str(min_sdk), "--v1-signing-enabled", "false", "--v2-signing-enabled", "true"),
        *("--v3-signing-enabled", "true", "--v4-signing-enabled", "false", "--out", target, aligned),
    )


def _make_key() -> None:
    part = KEY.with_suffix(".part")
    part.unlink(missing_ok=True)
    run(
        *("keytool", "-genkeypair", "-keystore", part, "-storetype", "PKCS12", "-storepass:env", "ANDROID_KEY"),
        *("-alias", _ALIAS, "-keyalg", "RSA", "-keysize", "3072", "-validity", "10000", "-dname", "CN=Development"),
        environment={"ANDROID_KEY": _PASSWORD.removeprefix("pass:")},
    )
    part.replace(KEY)
