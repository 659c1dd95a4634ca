"""The certificate: there, fitting its key, and good for some time."""

import asyncio
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, skipped, warning

ABOUT: Final = "TLS"
OWN_FILE: Final = "tls.pem"
_SOON_DAYS: Final = 21


async def check_tls(case: Case) -> Sequence[Finding]:
    server = case.settings.server
    match server.tls:
        case "off":
            return [skipped(ABOUT, "It is off (server.tls).")]
        case "self-signed":
            file = case.data_folder / OWN_FILE
            if not file.exists():
                return [ok(ABOUT, "The first start makes a certificate.")]
            fix = f"Remove {file} and restart; phones have to pair again then."
            return [await asyncio.to_thread(_look, file, None, fix)]
        case "files":
            fix = "Renew the certificate, then restart: it is read at start."
            return [await asyncio.to_thread(_look, Path(server.tls_certificate), Path(server.tls_key), fix)]


def _look(certificate: Path, key: Path | None, fix: str) -> Finding:
    from cryptography import x509  # noqa: PLC0415  (0.1 s, for those with TLS)

    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate, key = certificate.expanduser(), key.expanduser() if key else None
        context.load_cert_chain(certificate, key, password=lambda: "")
        ends = x509.load_pem_x509_certificates(certificate.read_bytes())[0].not_valid_after_utc
    except (OSError, ValueError) as error:
        says = f"Certificate and key cannot be used ({type(error).__name__})."
        return broken(
            ABOUT, says, "They must be readable PEM files, the key without a password and the certificate's own."
        )
    days = (ends - datetime.now(UTC)).days
    says = f"The certificate is good until {ends:%Y-%m-%d}."
    if days < 0:
        return broken(ABOUT, f"The certificate has expired on {ends:%Y-%m-%d}.", fix)
    return warning(ABOUT, says, fix) if days < _SOON_DAYS else ok(ABOUT, says)
