"""Which gateway a command means, and how its identity is checked: `--gateway`, `--pin`, `--ca`."""

import functools
import hmac
import ssl
from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec

from cetp_gateway.errors import GatewayUnreachable
from cetp_gateway.loopback import is_loopback

Command = TypeVar("Command", bound=Callable[..., Any])
FETCH_TIMEOUT_S = 10.0


class GatewayAt(msgspec.Struct, frozen=True):
    """What the user says of a gateway."""

    address: str
    """`http(s)://HOST:PORT` or `HOST:PORT`."""
    pin: str = ""
    """`sha256/BASE64` of its key, as a pairing link has it; the key alone counts then."""
    ca: str = ""
    """PEM file with the authority of its certificate; empty takes the system's authorities."""


def gateway_option(command: Command) -> Command:
    """Add the three options; the command gets them as one `gateway`."""

    @functools.wraps(command)
    def merged(*arguments: Any, gateway: str, pin: str, ca: str, **options: Any) -> Any:
        return command(*arguments, gateway=GatewayAt(gateway, pin, ca), **options)

    for option in (_CA, _PIN, _GATEWAY):
        merged = option(merged)
    return merged  # type: ignore[return-value]


_GATEWAY = click.option(
    "--gateway",
    default="127.0.0.1:42617",
    metavar="URL",
    envvar="CETP_GATEWAY",
    show_default=True,
    show_envvar=True,
    help="http://HOST:PORT, https://HOST:PORT or HOST:PORT.",
)
_PIN = click.option(
    "--pin",
    default="",
    metavar="sha256/BASE64",
    envvar="CETP_PIN",
    show_envvar=True,
    help="The key of a gateway with a self-signed certificate, from its pairing link.",
)
_CA = click.option(
    "--ca",
    default="",
    metavar="FILE",
    envvar="CETP_CA",
    show_envvar=True,
    help="The authority of the gateway's certificate, as PEM, when the system does not know it.",
)


def tls_context(at: GatewayAt, host: str, port: int) -> ssl.SSLContext:
    """How to check who answers at an https gateway.

    Raises:
        GatewayUnreachable: a pin was given and nobody answers, or somebody with another key.
        click.ClickException: the authority's file cannot be used.
    """
    if at.pin:
        return _pinned(at.pin, host, port)
    try:
        context = ssl.create_default_context(cafile=at.ca or None)
    except OSError:
        raise click.ClickException("--ca: this is no readable PEM file with a certificate.") from None
    if not at.ca and is_loopback(host):
        # Whoever can answer on this machine's own port could do so without TLS too.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _pinned(pin: str, host: str, port: int) -> ssl.SSLContext:
    """Look at the certificate, compare its key, and from then on trust this certificate and no other."""
    from cetp_gateway.server.door.certificate import pin_of  # noqa: PLC0415  (90 ms that others need not pay)

    try:
        certificate = ssl.get_server_certificate((host, port), timeout=FETCH_TIMEOUT_S)
    except (OSError, ValueError):
        raise GatewayUnreachable(f"No gateway with TLS answers at {host}:{port}.") from None
    if not hmac.compare_digest(pin_of(certificate.encode()).encode(), pin.encode()):
        raise GatewayUnreachable(
            f"The gateway at {host}:{port} has another key than the pin says. If it was set up anew, pair again; "
            "if not, somebody else answers in its place."
        )
    context = ssl.create_default_context(cadata=certificate)
    # The certificate itself is the anchor, whoever signed it, and whatever the address is called today.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.check_hostname = False
    return context
