"""The tools that fetch web pages. A request can carry words of the conversation in its address, so fetching sends.

`web_open` only reads: it takes addresses that a model cannot have put words into, since the person has written them in
this session, and hosts that the owner trusts. `web_fetch` takes any, so with `supervised` a person sees the address
first. Above: `all_tools`. Below: `client`, `page_text`.
"""

import asyncio
import re
from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_parts import Said
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.web.body import as_text
from cetp_gateway.builtin.web.client import WEB, MayGo, Page, WebClient
from cetp_gateway.builtin.web.page_text import page_text
from cetp_gateway.builtin.web.url import ADDRESS_NOT_ALLOWED, URL_CHARS, HostRule, WebUrl, read_url

PIECE_CHARS: Final = 20_000
"""Of a page's text in one answer."""
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'`。，；：！？）】》]+", re.IGNORECASE)
_TRAILING: Final = ".,;:!?)]}*_”’»"


class PageAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which page, and which part of it."""

    url: Annotated[str, Meta(min_length=8, max_length=URL_CHARS, description="http:// or https:// address.")]
    offset: Annotated[int, Meta(ge=0, description="Characters to leave out, to read on in a long page.")] = 0
    links: Annotated[bool, Meta(description="Show where the links of an HTML page lead.")] = False


class WebFetch(BuiltinTool[PageAsked]):
    """Any public page."""

    declared = Declared(
        PageAsked,
        name="web_fetch",
        effect=Effect.SENDS,
        origin=WEB,
        description=(
            "Fetches a web page (HTML, text, JSON or XML) and gives its text. Use it for addresses that come from "
            "pages, searches or yourself; for one that the person wrote, use web_open. Never put private data into "
            "an address."
        ),
    )

    def __init__(self, client: WebClient) -> None:
        self._client = client

    async def run(self, asked: PageAsked, context: CallContext) -> str:
        return await _text(asked, await self._client.get(asked.url, context.deadline, may_go=_anywhere))


class WebOpen(BuiltinTool[PageAsked]):
    """Pages whose address is the person's own, and hosts that the owner trusts."""

    declared = Declared(
        PageAsked,
        name="web_open",
        effect=Effect.READS,
        origin=WEB,
        description=(
            "Opens a web page whose address the person wrote in this conversation, exactly as it stands there, or one "
            "on a host that the owner trusts, and gives its text (HTML, text, JSON or XML)."
        ),
    )

    def __init__(self, client: WebClient, trusted: HostRule, said: Said) -> None:
        self._client = client
        self._trusted = trusted
        self._said = said

    async def run(self, asked: PageAsked, context: CallContext) -> str:
        may_go = await self._rule(read_url(asked.url), context)
        return await _text(asked, await self._client.get(asked.url, context.deadline, may_go=may_go))

    async def _rule(self, url: WebUrl, context: CallContext) -> MayGo:
        """Where redirections may lead: from a trusted host, which may redirect to anywhere on a model's word, to others
        of that kind only. An address of the person's holds no word of a model's.
        """
        if self._trusted(url.host):
            return lambda found: self._trusted(found.host)
        if context.session_id and url.text in addresses_in(await self._said(context.session_id)):
            return _anywhere
        raise NotPossible(
            "url: the person has not written this address in the conversation, and its host is not one that the owner "
            "trusts (builtin.fetch_hosts).",
            code=ADDRESS_NOT_ALLOWED,
            hint="Use web_fetch, which may need the person's approval.",
        )


def addresses_in(text: str) -> frozenset[str]:
    """The addresses that stand in a text, each also without the punctuation that follows it."""
    found = set()
    for match in _ADDRESS.finditer(text):
        for written in (match[0], match[0].rstrip(_TRAILING)):
            try:
                found.add(read_url(written).text)
            except NotPossible:
                continue
    return frozenset(found)


def _anywhere(url: WebUrl) -> bool:  # noqa: ARG001
    return True


async def _text(asked: PageAsked, page: Page) -> str:
    """A piece of a page, behind lines that say which."""
    title, text = await asyncio.to_thread(_read, page, asked.links)
    piece = text[asked.offset : asked.offset + PIECE_CHARS]
    head = [f"URL: {page.url}", f"Title: {title}" if title else "", f"Type: {page.type.name}"]
    left = len(text) - asked.offset - len(piece)
    if asked.offset and not piece:
        raise NotPossible(f"offset: the page has {len(text)} characters.")
    tail = f"\n\n[{left} more characters; go on with offset {asked.offset + len(piece)}]" if left > 0 else ""
    return "\n".join(filter(None, head)) + f"\n\n{piece or '(The page has no text.)'}{tail}"


def _read(page: Page, links: bool) -> tuple[str, str]:
    if page.type.is_html:
        return page_text(page.content, page.type.charset, url=page.url, links=links)
    return "", as_text(page.content, page.type.charset)
