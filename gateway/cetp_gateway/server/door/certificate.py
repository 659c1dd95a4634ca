"""Certificates: a self-signed one for a gateway, and the pin that names a certificate's key (spec 13.5).

Pure but for randomness and the clock; knows no files and no settings. `cryptography` is loaded here, and this module
only when TLS needs it.
"""

import base64
import hashlib
import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID

LIFE = timedelta(days=3650)
"""Phones know the key and do not look at the date; other clients would have to be told of a new certificate."""
_CLOCKS_DIFFER = timedelta(days=1)


def self_signed(names: Iterable[str]) -> bytes:
    """A new P-256 key and a certificate for it, as PEM; the key comes first. For servers only, and no authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "CETP gateway")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCKS_DIFFER)
        .not_valid_after(now + LIFE)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)


def pin_of(pem: bytes) -> str:
    """`sha256/BASE64` of the first certificate's public key (RFC 7469 2.4). Raises ValueError without one."""
    key = x509.load_pem_x509_certificate(pem).public_key()
    digest = hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    return f"sha256/{base64.b64encode(digest).decode()}"


def vouches_for_itself(pem: bytes) -> bool:
    """Is the first certificate self-signed, so that no authority stands behind it? Raises ValueError without one."""
    certificate = x509.load_pem_x509_certificate(pem)
    return certificate.issuer == certificate.subject


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
