"""The tool that searches the web, at the one endpoint that the owner has set up. Without one there is no such tool.

Above: `all_tools`. Below: `client`.
"""

from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.web.client import WEB, WebClient
from cetp_gateway.builtin.web.url import WebUrl
from cetp_gateway.errors import SettingsError

QUERY_MARK = "{query}"
"""Stands in `builtin.search_url` for the percent-encoded query."""
_MOST = 10
_SNIPPET_CHARS = 500


class SearchAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for."""

    query: Annotated[str, Meta(min_length=1, max_length=400, description="A few words; no private data.")]
    limit: Annotated[int, Meta(ge=1, le=_MOST, description="Results wanted.")] = 5


class _Result(msgspec.Struct):
    title: str = ""
    url: str = ""
    content: str | None = None
    description: str | None = None


class _Web(msgspec.Struct):
    results: list[_Result] = []


class _Found(msgspec.Struct):
    """As SearXNG says it (`results`), or Brave's API (`web.results`)."""

    results: list[_Result] = []
    web: _Web | None = None


_decode = msgspec.json.Decoder(_Found).decode


class WebSearch(BuiltinTool[SearchAsked]):
    """Asks the owner's endpoint. What it is asked leaves the gateway, so it sends.

    Args:
        client: one that may speak to any address, since the owner has chosen this one.
        url: with `{query}`; answers JSON.
        key: empty sends none.
        key_header: the header that carries it.

    Raises:
        SettingsError: the address has no place for the query.
    """

    declared = Declared(
        SearchAsked,
        name="web_search",
        effect=Effect.SENDS,
        origin=WEB,
        description="Searches the web; gives titles, addresses and short excerpts. Read the pages themselves after.",
    )

    def __init__(self, client: WebClient, url: str, *, key: str, key_header: str) -> None:
        if QUERY_MARK not in url:
            raise SettingsError(f"builtin.search_url: it needs {QUERY_MARK} where the words go.")
        self._client = client
        self._url = url
        bearer = key_header.lower() == "authorization"
        self._headers = {key_header: f"Bearer {key}" if bearer else key} if key else {}

    async def run(self, asked: SearchAsked, context: CallContext) -> str:
        url = self._url.replace(QUERY_MARK, quote(asked.query, safe=""))
        page = await self._client.get(url, context.deadline, may_go=_nowhere, headers=self._headers)
        try:
            found = _decode(page.content)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise NotPossible(
                "The search endpoint does not answer as SearXNG or Brave do.",
                code="UNREACHABLE",
                hint="The gateway's owner can check builtin.search_url; SearXNG needs format=json.",
            ) from None
        results = found.results or (found.web.results if found.web else [])
        return json_text({"query": asked.query, "results": [_row(result) for result in results[: asked.limit]]})


def _row(result: _Result) -> dict[str, str]:
    excerpt = " ".join((result.content or result.description or "").split())[:_SNIPPET_CHARS]
    return {"title": result.title[:_SNIPPET_CHARS], "url": result.url[:2000], "excerpt": excerpt}


def _nowhere(url: WebUrl) -> bool:  # noqa: ARG001
    """A redirection would carry the key to others."""
    return False
