"""The shop's pages as HTML. Plain functions of values; what a visitor typed is escaped."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from cetp_gateway.cli.pipe.demo_site.orders import Order

_FRAME: Final = Template(Path(__file__).with_name("frame.html").read_text("utf-8"))


def login_page(problem: str = "") -> bytes:
    return _page(
        "Sign in",
        f'<p role="alert">{escape(problem)}</p>'
        '<form method="post" action="/login">'
        '<label>Name <input name="user" autocomplete="off"></label>'
        '<label>Password <input name="password" type="password"></label>'
        "<button>Sign in</button></form>",
    )


def orders_page(orders: Sequence[Order], words: str) -> bytes:
    rows = "".join(f'<li><a href="/orders/{o.number}">Order {o.number}</a>, {o.day}</li>' for o in orders)
    return _page(
        "Your orders",
        '<form action="/orders" role="search">'
        f'<label>Search <input name="q" value="{escape(words)}"></label><button>Search</button></form>'
        f"<ul>{rows or '<li>Nothing was found.</li>'}</ul>",
    )


def order_page(order: Order) -> bytes:
    rows = "".join(
        f"<tr><td>{i.count} × {escape(i.name)}</td><td>{i.count * i.price} EUR</td></tr>" for i in order.items
    )
    return _page(
        f"Order {order.number}",
        f'<p>Ordered on {order.day}.</p><table>{rows}</table><p id="total">Total: {order.total} EUR</p>'
        '<p><a href="/orders">All orders</a></p>',
    )


def missing_page() -> bytes:
    return _page("Not found", '<p><a href="/orders">All orders</a></p>')


def _page(title: str, body: str) -> bytes:
    return _FRAME.substitute(title=escape(title), body=body).encode()
