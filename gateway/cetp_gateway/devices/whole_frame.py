"""Recognises the commonest thing that a phone sends: one small text frame, alone in what was read, whole.

Such a frame needs none of the parser's steps, which take longer than all else that is done with an answer. Whatever
is the least bit different goes to the parser. Above: `uvicorn_socket`.
"""

from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.speedups import apply_mask

_FINAL_TEXT = 0x81
_MASKED = 0x80
_TWO_MORE = 0xFE
"""Masked, and the size stands in the next two bytes."""


def whole_text(data: bytes, parser: ServerProtocol) -> bytes | None:
    """The payload of data that is exactly one final, masked text frame below 64 KiB (RFC 6455 5.2), else None.

    Args:
        data: what was read; the parser has not seen it.
        parser: of the connection; it must stand between two messages.
    """
    if len(data) < 6 or data[0] != _FINAL_TEXT or not _MASKED <= data[1] <= _TWO_MORE:
        return None
    start = 8 if data[1] == _TWO_MORE else 6
    size = int.from_bytes(data[2:4], "big") if start == 8 else data[1] - _MASKED
    if len(data) != start + size or not _is_between_messages(parser, size):
        return None
    return apply_mask(data[start:], data[start - 4 : start])


def _is_between_messages(parser: ServerProtocol, size: int) -> bool:
    if parser.state is not State.OPEN or parser.current_size is not None or parser.extensions:
        return False
    most = parser.max_message_size
    if most is not None and size > most:
        return False
    # Between two frames the parser's innermost step waits for anything at all; within one, for the rest of it.
    frames = getattr(parser.parser, "gi_yieldfrom", None)
    step = getattr(frames, "gi_yieldfrom", None)
    return getattr(step, "__name__", "") == "at_eof"
