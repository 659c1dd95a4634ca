"""The gateway's TLS: finds or makes the certificate that the settings ask for, and loads it.

Knows files; `certificate` knows what stands in them. Above: serve and listener.
"""

import os
import socket
import ssl
import tempfile
from contextlib import suppress
from pathlib import Path

from cetp_gateway.errors import SettingsError, StorageError
from cetp_gateway.settings import ServerSettings

FILE_NAME = "tls.pem"
"""Key and certificate in one file of the data folder: they cannot be torn apart."""
_BROKEN = f"{FILE_NAME} in the data folder cannot be used. Without it a new one is made, and phones have to pair again."


class Tls:
    """A certificate and its key, loaded."""

    def __init__(self, pem: bytes, context: ssl.SSLContext) -> None:
        self.context = context
        self._pem = pem

    def pin(self) -> str | None:
        """What tells phones this gateway's key; None when an authority vouches for the certificate, whose key may
        change whenever it is renewed.
        """
        # 90 ms and some megabytes that a gateway need not pay before somebody pairs.
        from cetp_gateway.server.door.certificate import pin_of, vouches_for_itself  # noqa: PLC0415

        return pin_of(self._pem) if vouches_for_itself(self._pem) else None


def prepare_tls(server: ServerSettings, data_folder: Path) -> Tls | None:
    """What `server.tls` asks for; None when it is off.

    Raises:
        SettingsError: the named files are missing or do not fit.
        StorageError: the data folder does not take the new certificate.
    """
    match server.tls:
        case "off":
            return None
        case "self-signed":
            return _load(_own_certificate(data_folder), None, _BROKEN)
        case "files":
            return _from_files(server)


def _from_files(server: ServerSettings) -> Tls:
    for name, value in (("tls_certificate", server.tls_certificate), ("tls_key", server.tls_key)):
        if not value:
            raise SettingsError(f'server.{name}: a PEM file is needed when server.tls is "files".')
        if not Path(value).expanduser().is_file():
            raise SettingsError(f"server.{name}: there is no such file.")
    certificate, key = Path(server.tls_certificate).expanduser(), Path(server.tls_key).expanduser()
    trouble = (
        "server.tls_certificate and server.tls_key: they must be readable PEM files, the key without a password and "
        "that of the first certificate."
    )
    return _load(certificate, key, trouble)


def _load(certificate: Path, key: Path | None, trouble: str) -> Tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # With no password given OpenSSL would ask for one on the terminal, and a service would wait for ever.
        context.load_cert_chain(certificate, key, password=lambda: "")
        return Tls(certificate.read_bytes(), context)
    except (OSError, ValueError):
        raise SettingsError(trouble) from None


def _own_certificate(data_folder: Path) -> Path:
    file = data_folder / FILE_NAME
    if file.exists():
        return file
    from cetp_gateway.server.door.certificate import self_signed  # noqa: PLC0415  (once in a gateway's life)

    try:
        data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_secret(file, self_signed(_own_names()))
    except OSError:
        raise StorageError(f"{FILE_NAME} cannot be written to the data folder. Is it writable, with room?") from None
    return file


def _write_secret(file: Path, content: bytes) -> None:
    """Whole or not at all, and readable by its owner alone from the first moment."""
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{FILE_NAME}.")
    try:
        with os.fdopen(descriptor, "wb") as writing:
            writing.write(content)
            writing.flush()
            os.fsync(writing.fileno())
        Path(temporary).replace(file)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


def _own_names() -> list[str]:
    """Names that hold wherever the machine is; its addresses change."""
    host = socket.gethostname().lower().rstrip(".").partition(".")[0]
    usable = host.isascii() and host.replace("-", "").isalnum()
    return [*([host, f"{host}.local"] if usable else []), "localhost", "127.0.0.1", "::1"]
