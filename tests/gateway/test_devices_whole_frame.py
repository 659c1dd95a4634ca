"""The short way of a frame that came whole agrees with the parser, and is taken only between two messages."""

import pytest
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol

from cetp_gateway.devices.whole_frame import whole_text

MOST = 100_000
OPENING = (
    b"GET / HTTP/1.1\r\nHost: phone\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def opened(most: int = MOST) -> ServerProtocol:
    """A parser after the handshake."""
    parser = ServerProtocol(max_size=most)
    parser.receive_data(OPENING)
    (request,) = parser.events_received()
    assert isinstance(request, Request)
    parser.send_response(parser.accept(request))
    return parser


def sent(payload: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, payload, fin=fin).serialize(mask=mask)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535])
def test_a_whole_text_reads_as_the_parser_reads_it(size: int) -> None:
    data = sent(bytes(65 + number % 26 for number in range(size)))
    parser = opened()
    taken = whole_text(data, parser)
    parser.receive_data(data)
    (event,) = parser.events_received()
    assert isinstance(event, Frame)
    assert taken == event.data


DIFFERENT = {
    "longer than the short way takes": sent(b"x" * 65_536),
    "binary": sent(b"x", Opcode.BINARY),
    "a ping": sent(b"x", Opcode.PING),
    "a continuation": sent(b"x", Opcode.CONT),
    "a close": sent(b"\x03\xe8", Opcode.CLOSE),
    "a first fragment": sent(b"x", fin=False),
    "not masked": sent(b"x", mask=False),
    "two frames": sent(b"x") + sent(b"y"),
    "its last byte is missing": sent(b"xyz")[:-1],
    "cut within the mask": sent(b"xyz")[:5],
    "one byte": b"\x81",
    "nothing": b"",
    "a reserved bit": b"\xc1" + sent(b"x")[1:],
}


@pytest.mark.parametrize("data", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_whatever_is_different_is_left_to_the_parser(data: bytes) -> None:
    assert whole_text(data, opened()) is None


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 8, 20])
def test_what_looks_like_a_frame_within_another_one_is_not_taken(cut: int) -> None:
    inner = sent(b"not a message")
    outer = Frame(Opcode.BINARY, b"." * 30 + inner).serialize(mask=True)
    parser = opened()
    parser.receive_data(outer[:cut])
    assert whole_text(inner, parser) is None


def test_nothing_is_taken_amid_a_message_in_fragments() -> None:
    parser = opened()
    parser.receive_data(sent(b"beginning", fin=False))
    assert whole_text(sent(b"x"), parser) is None


def test_after_a_message_in_pieces_the_short_way_is_open_again() -> None:
    parser, data = opened(), sent(b"in two")
    parser.receive_data(data[:4])
    parser.receive_data(data[4:])
    assert len(parser.events_received()) == 1
    assert whole_text(sent(b"whole"), parser) == b"whole"


def test_a_message_over_the_limit_is_left_to_the_parser() -> None:
    assert whole_text(sent(b"x" * 50), opened(most=49)) is None


def test_nothing_is_taken_after_a_close() -> None:
    parser = opened()
    parser.receive_data(sent(b"\x03\xe8", Opcode.CLOSE))
    assert whole_text(sent(b"x"), parser) is None
