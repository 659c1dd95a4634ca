"""How commands reach a running gateway: its address, a token, one request, and what to do when that fails."""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import click
import httpx

from cetp_gateway.errors import GatewayUnreachable
from cetp_gateway.phone.address import socket_url

TIMEOUT_S = 10.0
"""For requests that the gateway answers by itself."""

gateway_option = click.option(
    "--gateway",
    default="127.0.0.1:42617",
    metavar="URL",
    envvar="CETP_GATEWAY",
    show_default=True,
    show_envvar=True,
    help="http://HOST:PORT or HOST:PORT.",
)
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

    def __init__(self, address: str, token: str = "") -> None:
        self.socket_url = socket_url(address)
        parts = urlsplit(self.socket_url)
        scheme = "https" if parts.scheme == "wss" else "http"
        self.url = f"{scheme}://{parts.netloc}{parts.path.removesuffix('/ws/chat')}"
        self._host = parts.hostname or ""
        self._http = httpx.Client(base_url=self.url, timeout=TIMEOUT_S, trust_env=False)
        self._token = token

    @property
    def is_local(self) -> bool:
        """The gateway is on this machine, so it may be administered."""
        if self._host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self._host).is_loopback
        except ValueError:
            return False

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
            return self._http.request(method, path, headers=headers, timeout=timeout_s, **more)
        except httpx.TimeoutException:
            raise GatewayUnreachable(
                f"The gateway at {self.url} did not answer within {timeout_s:g} s. Is it busy, or the network gone?"
            ) from None
        except httpx.HTTPError:
            raise GatewayUnreachable(self._nobody()) from None

    def _nobody(self) -> str:
        start = "Start it with: cetp serve" if self.is_local else "Is it running there, with --host 0.0.0.0?"
        return f"No gateway answers at {self.url}. {start}"

    def _refusal(self, status: int, body: Any) -> str:
        said = body.get("error") if isinstance(body, dict) else None
        text = said if isinstance(said, str) else f"The gateway answered with status {status}."
        if status == httpx.codes.UNAUTHORIZED and not self.is_local:
            text += " On the gateway's machine run `cetp pair`, then here: cetp pair --code CODE."
        return text


def _decoded(answer: httpx.Response, url: str) -> Any:
    try:
        return answer.json()
    except ValueError:
        raise GatewayUnreachable(f"What answers at {url} is not a CETP gateway (no JSON in its answer).") from None
