"""HTML as text that a model can read: headings, lists and tables keep their shape, scripts and hidden parts are gone.

One pass over the parsed tree, so its cost grows with the page alone. lxml parses, with bounds on depth of its own.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from cetp_gateway.builtin.web.body import as_text

if TYPE_CHECKING:
    from lxml.etree import _Element


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_UNSEEN: Final = _set(
    "script style noscript template svg math iframe object embed canvas audio video head select datalist"
)
_PARAGRAPHS: Final = _set(
    "p div section article main header footer nav aside h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote form fieldset "
    "figure details address hr"
)
_LINES: Final = _set("li dt dd tr caption figcaption summary legend option")
_CELLS: Final = frozenset({"td", "th"})
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLANKS: Final = re.compile(r"[ \t\r\f\v\xa0]*\n[ \t\r\f\v\xa0]*|[ \t\r\f\v\xa0]+")
_GAPS: Final = re.compile(r"[ \t]*\n(?:[ \t]*\n)+")


def page_text(content: bytes, charset: str, *, url: str, links: bool) -> tuple[str, str]:
    """The title and the text of a page; both may be empty.

    Args:
        content: HTML, however broken.
        charset: from the headers; empty leaves it to the page's own word.
        url: of the page, for its links.
        links: write each as `[text](address)`.
    """
    from lxml import etree, html  # noqa: PLC0415  (20 ms that only these tools need)

    if charset:
        # lxml's list of charsets is shorter than ours.
        content, charset = as_text(content, charset).encode("utf-8", "replace"), "utf-8"
    parser = html.HTMLParser(encoding=charset or None, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(content, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        return "", ""
    title = next((" ".join((element.text or "").split()) for element in root.iter("title")), "")
    writer = _Writer(url if links else "")
    for event, element in _seen(root):
        (writer.begin if event == "start" else writer.end)(element)
    return title, writer.text


def _seen(root: "_Element") -> Iterator[tuple[str, "_Element"]]:
    """The start and end of every element that a reader would see."""
    from lxml import etree  # noqa: PLC0415

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "start" and _is_unseen(element):
            walk.skip_subtree()
        yield event, element


def _is_unseen(element: "_Element") -> bool:
    return element.tag in _UNSEEN or "hidden" in element.attrib or bool(_HIDDEN.search(element.get("style", "")))


class _Writer:
    """Takes elements in the order of the page."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._pieces: list[str] = []
        self._as_it_is = 0
        """Depth of elements whose blanks count."""

    @property
    def text(self) -> str:
        return _GAPS.sub("\n\n", "".join(self._pieces)).strip()

    @property
    def _at_line_start(self) -> bool:
        return not self._pieces or self._pieces[-1].endswith("\n")

    def begin(self, element: "_Element") -> None:
        tag = str(element.tag)
        if _is_unseen(element):
            return
        self._break(tag, starts=True)
        if tag == "pre":
            self._as_it_is += 1
        self._write(_before(element, tag))
        if tag == "a" and self._link(element):
            self._write("[")
        self._say(element.text)

    def end(self, element: "_Element") -> None:
        tag = str(element.tag)
        if not _is_unseen(element):
            if tag == "a" and (link := self._link(element)):
                self._write(f"]({link})")
            if tag == "pre":
                self._as_it_is -= 1
            self._break(tag, starts=False)
        self._say(element.tail)

    def _link(self, element: "_Element") -> str:
        address = element.get("href", "")
        if not self._base_url or not address or address.startswith("#"):
            return ""
        try:
            whole = urljoin(self._base_url, address.strip())
        except ValueError:
            return ""
        return whole if whole.startswith(("http://", "https://")) else ""

    def _break(self, tag: str, *, starts: bool) -> None:
        if tag in _PARAGRAPHS:
            self._write("\n\n")
        elif tag in _LINES and not self._at_line_start:
            self._write("\n")
        elif tag in _CELLS and starts and not self._at_line_start:
            self._write(" | ")

    def _say(self, text: str | None) -> None:
        if text:
            self._write(text if self._as_it_is else self._plain(_BLANKS.sub(" ", text.replace("\n", " "))))

    def _plain(self, text: str) -> str:
        """Without a blank where one stands or a line begins."""
        before = self._pieces[-1][-1] if self._pieces else "\n"
        return text.removeprefix(" ") if before in " \n" else text

    def _write(self, text: str) -> None:
        if text:
            self._pieces.append(text)


def _before(element: "_Element", tag: str) -> str:
    if tag == "br":
        return "\n"
    if tag == "li":
        return "- "
    if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
        return "#" * int(tag[1]) + " "
    if tag == "img" and element.get("alt"):
        return f"[{' '.join(element.get('alt', '').split())}]"
    return ""
