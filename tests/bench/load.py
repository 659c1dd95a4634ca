"""Load of prepared HTTP requests on a server, with what it costs that server."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from .child import ChildFailed, process
from .cores import LOAD_CORE
from .processes.toolset import ARGUMENTS, TOOLS, Likeness, tool_name
from .usage import cpu_us

_SLACK_S = 90.0
_REQUESTS = 4096


class Load(msgspec.Struct, frozen=True):
    """What a while of load has shown."""

    p50_us: float
    p99_us: float
    count: int
    server_cpu_us: float
    """Per request: the server's time on a processor."""


def load(port: int, pid: int, requests: Sequence[bytes], *, in_flight: int, seconds: float) -> Load:
    """Keep so many requests in flight for so long.

    Raises:
        ChildFailed: an answer was not 200; a benchmark of errors says nothing.
    """
    with tempfile.NamedTemporaryFile(prefix="cetp-bench-") as file:
        Path(file.name).write_bytes(msgspec.msgpack.encode(list(requests)))
        before = cpu_us(pid)
        with process("http_load", port, in_flight, seconds, file.name, core=LOAD_CORE) as client:
            done = client.value("DONE", within_s=seconds + _SLACK_S)
        spent = cpu_us(pid) - before
    if done["refused"]:
        raise ChildFailed(f"{done['refused']} of {done['count']} requests failed, the first one so: {done['example']}")
    return Load(done["p50_us"], done["p99_us"], done["count"], spent / done["count"])


def tool_calls(port: int, token: str, phones: int) -> list[bytes]:
    """Calls to different phones' tools, in a fixed random order."""
    draw = random.Random(7)
    body = msgspec.json.encode({"arguments": ARGUMENTS})
    return [
        post(port, token, tool_name(draw.randrange(phones), draw.randrange(TOOLS), Likeness.NAMES_DIFFER), body)
        for _ in range(_REQUESTS)
    ]


def post(port: int, token: str, tool: str, body: bytes) -> bytes:
    """A tool call's request."""
    head = (
        f"POST /api/tools/{tool}/call HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
