"""How commands reach a running gateway: its address, a token, one request, and what to do when that fails."""

import ssl
from typing import Any
from urllib.parse import urlsplit

import click
import httpx

from cetp_gateway.cli.gateway_at import GatewayAt, gateway_option, tls_context
from cetp_gateway.errors import GatewayUnreachable
from cetp_gateway.loopback import is_loopback
from cetp_gateway.phone.address import socket_url

__all__ = ["GatewayAt", "GatewayClient", "gateway_option", "json_option", "token_option"]

TIMEOUT_S = 10.0
"""For requests that the gateway answers by itself."""

token_option = click.option(
    "--token",
    default="",
    envvar="CETP_TOKEN",
    show_envvar=True,
    help="Needed for a gateway on another machine; on the same one a short-lived token is fetched.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="JSON for machines.")


class GatewayClient:
    """One gateway, as a command sees it."""

    def __init__(self, at: GatewayAt, token: str = "") -> None:
        self._at = at
        self._token = token
        # A gateway on this machine may have TLS without the user's saying so each time.
        self._may_have_tls = "://" not in at.address
        url = socket_url(at.address)
        self._call(_encrypted(url) if at.pin and self._may_have_tls else url)

    def _call(self, url: str) -> None:
        parts = urlsplit(url)
        self.socket_url = url
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if parts.scheme == "wss" else 80)
        scheme = "https" if parts.scheme == "wss" else "http"
        self.url = f"{scheme}://{parts.netloc}{parts.path.removesuffix('/ws/chat')}"
        self._context: ssl.SSLContext | None = None
        self._http: httpx.Client | None = None

    @property
    def is_local(self) -> bool:
        """The gateway is on this machine, so it may be administered."""
        return is_loopback(self._host)

    @property
    def ssl_context(self) -> ssl.SSLContext | None:
        """How to check the gateway's certificate; None without TLS. Raises GatewayUnreachable."""
        if self._context is None and self.url.startswith("https:"):
            self._context = tls_context(self._at, self._host, self._port)
        return self._context

    def settle(self) -> None:
        """Let `socket_url` say whether a gateway on this machine has TLS. Raises GatewayUnreachable."""
        if self._may_have_tls and self.is_local:
            self.request("GET", "/health", token="")

    def token(self) -> str:
        """The token to use; fetched from a gateway on this machine when none was given.

        Raises:
            GatewayUnreachable: nobody answers.
        """
        if not self._token and self.is_local and self.request("GET", "/health", token="")["require_pairing"]:
            self._token = self.request("POST", "/admin/token", token="")["token"]
        return self._token

    def request(
        self, method: str, path: str, *, token: str | None = None, timeout_s: float = TIMEOUT_S, **more: Any
    ) -> Any:
        """One request; the decoded answer.

        Raises:
            GatewayUnreachable: no answer, or one that is no gateway's.
            click.ClickException: the gateway refused, in its own words.
        """
        answer = self.raw(method, path, token=token, timeout_s=timeout_s, **more)
        body = _decoded(answer, self.url)
        if answer.is_error:
            raise click.ClickException(self._refusal(answer.status_code, body))
        return body

    def raw(
        self, method: str, path: str, *, token: str | None = None, timeout_s: float = TIMEOUT_S, **more: Any
    ) -> httpx.Response:
        """One request; the answer as it is. Raises GatewayUnreachable."""
        token = self.token() if token is None else token
        headers = {"authorization": f"Bearer {token}"} if token else {}
        headers |= more.pop("headers", {})
        try:
            return self._send(method, path, headers=headers, timeout=timeout_s, **more)
        except httpx.TimeoutException:
            raise GatewayUnreachable(
                f"The gateway at {self.url} did not answer within {timeout_s:g} s. Is it busy, or the network gone?"
            ) from None
        except httpx.HTTPError:
            raise GatewayUnreachable(self._nobody()) from None

    def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        plain, self._may_have_tls = self._may_have_tls and self.is_local and self.ssl_context is None, False
        try:
            return self._client().request(method, path, **more)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            if not plain:
                raise
        # So ends a plain request at a gateway with TLS, which has not seen it.
        self._call(_encrypted(self.socket_url))
        return self._client().request(method, path, **more)

    def _client(self) -> httpx.Client:
        if self._http is None:
            checked = self.ssl_context or True
            self._http = httpx.Client(base_url=self.url, timeout=TIMEOUT_S, trust_env=False, verify=checked)
        return self._http

    def _nobody(self) -> str:
        start = "Start it with: cetp serve" if self.is_local else "Is it running there, with --host 0.0.0.0?"
        return f"No gateway answers at {self.url}. {start}"

    def _refusal(self, status: int, body: Any) -> str:
        said = body.get("error") if isinstance(body, dict) else None
        text = said if isinstance(said, str) else f"The gateway answered with status {status}."
        if status == httpx.codes.UNAUTHORIZED and not self.is_local:
            text += " On the gateway's machine run `cetp pair`, then here: cetp pair --code CODE."
        return text


def _encrypted(socket_url: str) -> str:
    return f"wss{socket_url.removeprefix('ws')}"


def _decoded(answer: httpx.Response, url: str) -> Any:
    try:
        return answer.json()
    except ValueError:
        raise GatewayUnreachable(f"What answers at {url} is not a CETP gateway (no JSON in its answer).") from None
