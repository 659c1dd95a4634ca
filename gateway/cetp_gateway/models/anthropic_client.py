"""The official SDK, imported when the first request needs it (0.7 s, 60 MB), in a thread.

Above: the Anthropic adapter. Answers leave here as plain dicts, every failure as ModelFailed.
"""

import asyncio
import importlib
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from cetp_gateway.errors import ModelFailed
from cetp_gateway.models.failures import Failures
from cetp_gateway.models.vendor_error import read_error
from cetp_gateway.models.vendors import ANTHROPIC, BEDROCK

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

CONNECT_TIMEOUT_S: Final = 10.0
MAX_LISTED: Final = 1000
NO_KEY: Final = "none"
"""Sent nowhere: the SDK wants a key even where its header is left out."""
WANT_KEYS: Final = (ANTHROPIC.base_url, BEDROCK.base_url.partition("{")[0])
"""How addresses begin whose servers let nobody in without a key."""
HTTP_LIBRARIES: Final = ("httpx2", "httpx")
"""What the SDK is built on; its errors get through while a stream is read."""


class AnthropicClient:
    """One vendor's connections, shared by all sessions.

    Args:
        key: empty sends no key, which only servers other than Anthropic's own accept.
        timeout_s: longest silence within one request.
    """

    def __init__(self, base_url: str, key: str, timeout_s: float, failures: Failures) -> None:
        self._base_url = base_url
        self._key = key
        self._timeout_s = timeout_s
        self._failures = failures
        self._client: AsyncAnthropic | None = None
        self._opening = asyncio.Lock()

    async def events(self, parameters: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """The events of one answer. Closing the iterator closes the connection."""
        client = await self._opened()
        with self._translated():
            stream = await client.messages.create(**parameters, stream=True)
            try:
                async for event in stream:
                    yield self._plain(event)
            finally:
                await stream.close()

    async def create(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """One answer as a whole."""
        client = await self._opened()
        with self._translated():
            return self._plain(await client.messages.create(**parameters, stream=False))

    async def models(self) -> list[str]:
        """Ids of the models, newest first."""
        client = await self._opened()
        listed: list[str] = []
        with self._translated():
            async for model in client.models.list(limit=100):
                listed.append(str(model.id))
                if len(listed) >= MAX_LISTED:
                    break
        return listed

    async def aclose(self) -> None:
        """Close all connections; the next request would open new ones."""
        async with self._opening:
            client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _plain(self, answer: Any) -> dict[str, Any]:
        """A model of the SDK as a dict; something else is what a server sent that speaks another language."""
        to_dict = getattr(answer, "to_dict", None)
        if to_dict is None:
            raise self._failures.broken("is not what the Messages API sends")
        plain: dict[str, Any] = to_dict(warnings=False)
        return plain

    async def _opened(self) -> "AsyncAnthropic":
        if not self._key and self._base_url.startswith(WANT_KEYS):
            raise self._failures.no_key()
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._open)
            return self._client

    def _open(self) -> "AsyncAnthropic":
        try:
            anthropic = importlib.import_module("anthropic")
        except ImportError as error:
            raise self._failures.setup(
                "Claude needs the package `anthropic`, which is not installed. Install it with "
                "`pip install 'anthropic>=2,<3'`, or set model.provider to another vendor."
            ) from error
        client: AsyncAnthropic = anthropic.AsyncAnthropic(
            api_key=self._key or NO_KEY,
            base_url=self._base_url,
            max_retries=0,  # Ours decide: they know what has been shown already.
            timeout=anthropic.Timeout(self._timeout_s, connect=CONNECT_TIMEOUT_S),
            default_headers={} if self._key else {"Authorization": anthropic.Omit(), "X-Api-Key": anthropic.Omit()},
        )
        _ = client.messages, client.models  # Imported here, in the thread, rather than at their first use.
        return client

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Failures of the SDK and of the connection in our words."""
        try:
            yield
        except Exception as error:
            failed = self._in_our_words(error)
            if failed is None:
                raise
            raise failed from error

    def _in_our_words(self, error: Exception) -> ModelFailed | None:
        anthropic = sys.modules["anthropic"]
        if isinstance(error, anthropic.APIStatusError):
            return self._refused(error)
        if isinstance(error, anthropic.APIConnectionError):
            return self._not_connected(error)
        if isinstance(error, _http_errors("TimeoutException")):
            return self._failures.silent(self._timeout_s)
        if isinstance(error, _http_errors("HTTPError", "StreamError")):
            return self._failures.broken("broke off before it was complete")
        if isinstance(error, anthropic.AnthropicError | ValueError):
            return self._failures.broken("could not be read")
        return None

    def _refused(self, error: Any) -> ModelFailed:
        """An error status, or an error event within an answer of status 200."""
        reported = read_error(error.body)
        if error.status_code < 300:
            return self._failures.in_stream(reported)
        return self._failures.status(error.status_code, reported, error.response.headers)

    def _not_connected(self, error: Exception) -> ModelFailed:
        cause = error.__cause__
        if isinstance(cause, _http_errors("ConnectTimeout")):
            return self._failures.unreachable(f" within {CONNECT_TIMEOUT_S:g} s")
        if isinstance(cause, _http_errors("TimeoutException")):
            return self._failures.silent(self._timeout_s)
        return self._failures.unreachable(
            " (its certificate is not trusted)" if "certificate" in str(cause).lower() else ""
        )


def _http_errors(*names: str) -> tuple[type[Exception], ...]:
    """Exception classes of the HTTP library, under whichever name this version of the SDK has it."""
    libraries = [sys.modules[name] for name in HTTP_LIBRARIES if name in sys.modules]
    return tuple(getattr(library, name) for library in libraries for name in names)
