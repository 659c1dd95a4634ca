"""HTTP for the chat completions API. httpx is imported when the first request needs it, in a thread.

Above: the OpenAI-compatible adapter. Every failure of the connection leaves here as ModelFailed.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

import msgspec

from cetp_gateway.loopback import is_loopback
from cetp_gateway.models.failures import Failures
from cetp_gateway.models.vendor_error import read_error

if TYPE_CHECKING:
    import httpx

CONNECT_TIMEOUT_S: Final = 10.0
TAIL_TIMEOUT_S: Final = 2.0
"""Wait for the token counts after the answer is complete; some servers never close the stream."""
MAX_BODY_BYTES: Final = 32 * 1024 * 1024
MAX_ERROR_BYTES: Final = 64 * 1024


class OpenAIHttp:
    """One vendor's connections, shared by all sessions.

    Args:
        key: empty sends no Authorization header.
        timeout_s: longest silence within one request.
    """

    def __init__(self, base_url: str, key: str, timeout_s: float, failures: Failures) -> None:
        self._base_url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout_s = timeout_s
        self._failures = failures
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()

    @property
    def is_local(self) -> bool:
        """The server is on this machine."""
        return _is_local(self._base_url)

    async def get(self, path: str) -> bytes:
        """The body of a successful answer; raises ModelFailed."""
        async with self._answer("GET", path, None) as response:
            return await self._body(response, MAX_BODY_BYTES)

    async def post(self, path: str, body: Any) -> bytes:
        """The same for a request with a JSON body."""
        async with self._answer("POST", path, body) as response:
            return await self._body(response, MAX_BODY_BYTES)

    async def events(self, path: str, body: Any) -> AsyncIterator[str]:
        """The data of each event of a stream; an answer that is plain JSON is one event. Raises ModelFailed.

        Closing the iterator closes the connection.
        """
        import httpx_sse  # noqa: PLC0415 — imports httpx

        async with self._answer("POST", path, body) as response:
            kind = response.headers.get("content-type", "")
            if "json" in kind and "stream" not in kind:
                yield (await self._body(response, MAX_BODY_BYTES)).decode("utf-8", "replace")
            elif "html" in kind:
                raise self._failures.broken("is a web page; model.base_url seems to point elsewhere")
            else:
                bounded = cast("httpx.Response", _Bounded(response, self._failures))
                async with aclosing(httpx_sse.EventSource(bounded).aiter_sse()) as events:
                    async for event in events:
                        yield event.data

    @asynccontextmanager
    async def _answer(self, method: str, path: str, body: Any) -> AsyncIterator["httpx.Response"]:
        client = await self._opened()
        headers = {**self._headers, "Content-Type": "application/json"}
        content = None if body is None else msgspec.json.encode(body)
        with self._translated() as phase:
            async with client.stream(method, self._base_url + path, content=content, headers=headers) as response:
                phase.answering = True
                if not response.is_success:
                    text = await self._body(response, MAX_ERROR_BYTES)
                    raise self._failures.status(response.status_code, read_error(_decoded(text)), response.headers)
                yield response

    async def _body(self, response: "httpx.Response", limit: int) -> bytes:
        """The body; of an error's body only the beginning."""
        body = bytearray()
        async with aclosing(cast("Any", response.aiter_bytes())) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > limit:
                    if response.is_success:
                        raise self._failures.broken(f"is larger than {limit} bytes")
                    break
        return bytes(body[:limit])

    @contextmanager
    def _translated(self) -> Iterator["_Phase"]:
        """Failures of the connection in our words."""
        import httpx  # noqa: PLC0415 — imported by then

        phase = _Phase()
        try:
            yield phase
        except httpx.ConnectTimeout as error:
            raise self._failures.unreachable(f" within {CONNECT_TIMEOUT_S:g} s") from error
        except httpx.TimeoutException as error:
            raise self._failures.silent(self._timeout_s) from error
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise self._failures.setup("model.base_url is no usable address. Write it as https://host/v1.") from error
        except (httpx.RequestError, httpx.StreamError) as error:
            if phase.answering:
                raise self._failures.broken("broke off before it was complete") from error
            raise self._failures.unreachable(_detail(error)) from error

    async def _opened(self) -> "httpx.AsyncClient":
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._open)
            return self._client

    def _open(self) -> "httpx.AsyncClient":
        """In a thread: the import and reading certificates take a tenth of a second."""
        import httpx  # noqa: PLC0415 — 100 ms and 10 MB that a gateway without this vendor need not pay
        import httpx_sse  # noqa: F401, PLC0415

        return httpx.AsyncClient(
            timeout=httpx.Timeout(self._timeout_s, connect=CONNECT_TIMEOUT_S),
            limits=httpx.Limits(max_connections=1000, max_keepalive_connections=20),
            # A proxy from the environment cannot reach this machine's own servers.
            trust_env=not self.is_local,
        )

    async def aclose(self) -> None:
        """Close all connections; the next request would open new ones."""
        async with self._opening:
            client, self._client = self._client, None
        if client is not None:
            await client.aclose()


class _Phase:
    answering = False


class _Bounded:
    """As much of a response as reading events needs, with an end to it."""

    headers: Final = {"content-type": "text/event-stream"}

    def __init__(self, response: "httpx.Response", failures: Failures) -> None:
        self._response = response
        self._failures = failures

    async def aiter_text(self) -> AsyncIterator[str]:
        async with aclosing(cast("Any", self._response.aiter_text())) as pieces:
            async for piece in pieces:
                if self._response.num_bytes_downloaded > MAX_BODY_BYTES:
                    raise self._failures.broken(f"is larger than {MAX_BODY_BYTES} bytes")
                yield piece


def _decoded(body: bytes) -> Any:
    """JSON, or the text as it is."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body.decode("utf-8", "replace")


def _detail(error: Exception) -> str:
    return " (its certificate is not trusted)" if "certificate" in str(error).lower() else ""


def _is_local(base_url: str) -> bool:
    return is_loopback(urlsplit(base_url).hostname or "")
