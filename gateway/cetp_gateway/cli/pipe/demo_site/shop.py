"""The shop as a server on a free loopback port, in a thread of its own, for the length of a block."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlsplit

from cetp_gateway.cli.pipe.demo_site.orders import ORDERS
from cetp_gateway.cli.pipe.demo_site.pages import login_page, missing_page, order_page, orders_page

USER: Final = "anna"
PASSWORD: Final = "lighthouse"  # noqa: S105  (of a shop that sells nothing)

_COOKIE: Final = "visit"
_MOST_BYTES: Final = 4096
_IDLE_S: Final = 10.0


@contextmanager
def shop() -> Iterator[str]:
    """The shop's address; nothing of it is left at the end."""
    server = _Server(("127.0.0.1", 0), _Visit)
    thread = threading.Thread(target=server.serve_forever, name="corner-shop")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.visit = secrets.token_hex(16)
        """The cookie of whoever has signed in."""


class _Visit(BaseHTTPRequestHandler):
    server: _Server
    timeout = _IDLE_S

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/login":
            self._show(login_page())
        elif not self._has_signed_in():
            self._go("/login")
        elif url.path == "/":
            self._go("/orders")
        elif url.path == "/orders":
            words = parse_qs(url.query).get("q", [""])[0]
            self._show(orders_page([order for order in ORDERS if order.has(words)], words))
        else:
            self._order(url.path.removeprefix("/orders/"))

    def do_POST(self) -> None:
        size = min(int(self.headers.get("Content-Length") or 0), _MOST_BYTES)
        said = parse_qs(self.rfile.read(size).decode("utf-8", "replace"))
        if self.path == "/login" and (said.get("user"), said.get("password")) == ([USER], [PASSWORD]):
            self._go("/orders", cookie=f"{_COOKIE}={self.server.visit}; HttpOnly; SameSite=Lax; Path=/")
        else:
            self._show(login_page("Name or password is wrong."), HTTPStatus.UNAUTHORIZED)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the library's name)
        """The demo shows what happens."""

    def _order(self, number: str) -> None:
        order = next((order for order in ORDERS if order.number == number), None)
        if order is None:
            self._show(missing_page(), HTTPStatus.NOT_FOUND)
        else:
            self._show(order_page(order))

    def _has_signed_in(self) -> bool:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(_COOKIE)
        except CookieError:
            return False
        return cookie is not None and secrets.compare_digest(cookie.value.encode(), self.server.visit.encode())

    def _show(self, page: bytes, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def _go(self, where: str, cookie: str = "") -> None:
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", where)
        self.send_header("Content-Length", "0")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
