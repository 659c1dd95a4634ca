"""What holds for all input: stable JSON against a plain writer, framing under any cut, receivers under any bytes."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.pipe import Command
from cetp_gateway.pipe.agent_session import AgentSession
from cetp_gateway.pipe.lines import TOO_LARGE, Line, LineFramer
from cetp_gateway.pipe.receiver import Receiver, Refusal
from cetp_gateway.pipe.signing import Signer
from cetp_gateway.pipe.stable_json import MAX_INTEGER, stable_json
from cetp_gateway.pipe.strict_json import NotJson, read_object
from cetp_spec.pipe import PipeCode, actions
from support.pipe_messages import SEED, command

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
INTEGERS = st.integers(-MAX_INTEGER, MAX_INTEGER)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(TEXTS, parts, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=4)
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def plainly(value: Any) -> str:
    """Pipe 6.3, written down as it is told."""
    if isinstance(value, str):
        return '"' + "".join(SHORT_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: [ord(character) for character in key])
        return "{" + ",".join(f"{plainly(key)}:{plainly(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(plainly, value)) + "]"
    return (
        {True: "true", False: "false", None: "null"}[value] if value is None or value in (True, False) else str(value)
    )


@given(OBJECTS)
def test_stable_json_is_what_the_text_says(value: dict[str, Any]) -> None:
    assert stable_json(value).decode() == plainly(value)


@given(OBJECTS, st.booleans(), st.sampled_from([None, 1]))
def test_stable_json_does_not_depend_on_how_a_line_is_written(
    value: dict[str, Any], ascii_only: bool, indent: int | None
) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()
    assert stable_json(read_object(line)) == stable_json(value)


@given(st.lists(st.tuples(TEXTS, INTEGERS), min_size=1), st.data())
def test_a_key_that_comes_twice_is_always_refused(pairs: list[tuple[str, int]], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(pairs))
    text = ",".join(f"{json.dumps(key)}:{number}" for key, number in [*pairs, again])
    try:
        read_object(b"{" + text.encode() + b"}")
    except NotJson:
        return
    raise AssertionError(text)


@given(st.lists(st.binary(max_size=12)), st.lists(st.integers(1, 9)))
def test_lines_do_not_depend_on_where_the_pipe_cuts(parts: list[bytes], cuts: list[int]) -> None:
    whole = b"\n".join(parts)
    assert framed([whole]) == framed(cut(whole, cuts))


def framed(chunks: list[bytes]) -> tuple[list[Line], int]:
    framer = LineFramer(limit=8)
    lines = [line for chunk in chunks for line in framer.feed(chunk)]
    assert all(line is TOO_LARGE or (isinstance(line, bytes) and len(line) <= 8) for line in lines)
    return lines, framer.finish()


def cut(whole: bytes, sizes: list[int]) -> list[bytes]:
    chunks = []
    for size in sizes:
        chunks.append(whole[:size])
        whole = whole[size:]
    return [*chunks, whole]


@given(st.binary(max_size=200) | OBJECTS.map(lambda value: json.dumps(value).encode()))
def test_any_line_gets_one_refusal_and_blocks_nothing(line: bytes) -> None:
    host = Receiver(Signer(SEED), offered=actions(), announced=actions())
    refusal = host.receive(line)
    assert isinstance(refusal, Refusal)
    assert refusal.failure.code in set(PipeCode)
    assert refusal.failure.message
    assert isinstance(host.receive(command(2)), Command)


@given(st.binary(max_size=200) | OBJECTS.map(lambda value: json.dumps(value).encode()))
def test_no_line_of_a_host_breaks_an_agent(line: bytes) -> None:
    agent = AgentSession("5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b", ["getPage"])
    agent.receive(line)
    ready = AgentSession("5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b", ["getPage"])
    ready.receive(b'{"type":"init","version":"1.0","hmac_seed":"' + SEED.encode() + b'"}')
    ready.send("getPage", {}, "example.org")
    ready.receive(line)


@given(OBJECTS, INTEGERS.filter(lambda number: number > 0))
def test_what_an_agent_signs_a_host_takes(params: dict[str, Any], pixels: int) -> None:
    agent = AgentSession("5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b", ["type"])
    agent.receive(b'{"type":"init","version":"1.0","hmac_seed":"' + SEED.encode() + b'"}')
    host = Receiver(Signer(SEED), offered=actions(), announced=actions())
    for text in params:
        _, line = agent.send("type", {"selector": "#a", "text": text}, "example.org")
        taken = host.receive(line.removesuffix(b"\n"))
        assert isinstance(taken, Command)
        assert taken.params["text"] == text
