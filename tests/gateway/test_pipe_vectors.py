"""The pipe's vectors hold for this implementation: keys, stable JSON, signatures, refused lines, chunks and sizes."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from cetp_gateway.pipe import Command
from cetp_gateway.pipe.lines import MAX_LINE_BYTES, TOO_LARGE, Line, LineFramer
from cetp_gateway.pipe.receiver import Receiver, Refusal
from cetp_gateway.pipe.signing import BadSeed, Signer, derive_key, signed_text
from cetp_gateway.pipe.stable_json import Unstable, stable_json
from cetp_gateway.pipe.strict_json import NotJson, read_object
from cetp_spec.pipe import actions, vectors

SEED = vectors.keys()[0].seed
SHORT = b'{"a":1}'


def by_description(case: Any) -> str:
    return str(case.description)


def receiver() -> Receiver:
    return Receiver(Signer(SEED), offered=actions(), announced=actions())


@pytest.mark.parametrize("case", vectors.keys(), ids=by_description)
@pytest.mark.requirement("pipe.5.key")
def test_keys_are_derived_as_in_the_vectors(case: vectors.KeyCase) -> None:
    if case.key is False:
        with pytest.raises(BadSeed):
            derive_key(case.seed)
    else:
        assert derive_key(case.seed).hex() == case.key


@pytest.mark.parametrize("case", vectors.stable_json(), ids=by_description)
@pytest.mark.requirement("pipe.5.stable-json")
def test_stable_json_is_written_as_in_the_vectors(case: vectors.StableCase) -> None:
    if case.stable is not False:
        assert stable_json(read_object(case.json.encode())).hex() == case.hex == case.stable.encode().hex()
    elif case.code == "PIPE_INVALID_JSON":
        with pytest.raises(NotJson):
            read_object(case.json.encode())
    else:
        with pytest.raises(Unstable):
            stable_json(read_object(case.json.encode()))


@pytest.mark.parametrize("case", vectors.signatures(), ids=by_description)
@pytest.mark.requirement("pipe.5.algorithm", "pipe.5.canonical", "pipe.5.key")
def test_signatures_are_made_as_in_the_vectors(case: vectors.SignatureCase) -> None:
    stable = stable_json(read_object(case.params.encode()))
    text = signed_text(case.seq, case.action, stable, case.expected_domain)
    assert (stable.hex(), text.hex()) == (case.stable, case.canonical)
    assert Signer(case.seed).sign(text) == case.hmac
    assert Signer(case.seed).fits(text, case.hmac)


@pytest.mark.parametrize("case", vectors.refused_hmacs(), ids=by_description)
@pytest.mark.requirement("pipe.2.security-fields", "pipe.5.algorithm")
def test_what_is_no_signature_is_refused_plainly_and_the_next_command_works(case: vectors.HmacCase) -> None:
    host = receiver()
    security = {"expected_domain": "example.org"} | ({} if case.sent is False else {"hmac": case.sent})
    refusal = host.receive(line_of(security))
    assert isinstance(refusal, Refusal)
    assert (refusal.seq, refusal.failure.code, refusal.failure.details) == (1, case.code, {})
    right = Signer(SEED).sign(signed_text(1, "getPage", b"{}", "example.org"))
    assert right not in refusal.failure.message
    assert isinstance(host.receive(line_of({"expected_domain": "example.org", "hmac": right})), Command)


def line_of(security: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"seq": 1, "type": "command", "action": "getPage", "params": {}, "security": security})


@pytest.mark.parametrize("case", vectors.refused_lines(), ids=by_description)
@pytest.mark.requirement("pipe.2.invalid-json", "pipe.2.security-fields", "pipe.4.command", "pipe.4.schema")
def test_lines_are_refused_as_in_the_vectors(case: vectors.LineCase) -> None:
    refusal = receiver().receive(case.line)
    assert isinstance(refusal, Refusal)
    assert (refusal.failure.code, refusal.seq) == (case.code, case.seq), refusal.failure.message
    assert refusal.failure.message


@pytest.mark.parametrize("case", vectors.chunks(), ids=by_description)
@pytest.mark.requirement("pipe.2.json-lines")
def test_chunks_become_lines_as_in_the_vectors(case: vectors.ChunksCase) -> None:
    given = [bytes.fromhex(chunk) for chunk in case.chunks]
    whole = b"".join(given)
    ways = [given]
    if case.splits:
        ways += [[whole[:cut], whole[cut:]] for cut in range(len(whole) + 1)]
        ways.append([bytes([byte]) for byte in whole])
    for chunks in ways:
        framer = LineFramer()
        lines = [line for chunk in chunks for line in framer.feed(chunk)]
        assert lines == [False if line is False else line.encode() for line in case.lines]
        assert framer.finish() == case.dropped


@pytest.mark.parametrize("chunk_bytes", [4096, 65536, 10_000_019])
@pytest.mark.parametrize("case", vectors.sizes(), ids=by_description)
@pytest.mark.requirement("pipe.2.size", "pipe.7.large")
def test_lines_pass_up_to_the_limit_and_the_next_one_works(case: vectors.SizeCase, chunk_bytes: int) -> None:
    large = b'{"a":"' + b"x" * (case.bytes - 8) + b'"}'
    framer = LineFramer()
    lines: list[Line] = []
    for chunk in pieces(large + (b"\n" + SHORT + b"\n" if case.ended else b""), chunk_bytes):
        lines += framer.feed(chunk)
        assert framer.pending <= MAX_LINE_BYTES
    assert lines[0] == (large if case.taken else TOO_LARGE)
    assert lines[1:] == ([SHORT] if case.ended else [])


def pieces(whole: bytes, size: int) -> Iterator[bytes]:
    yield from (whole[at : at + size] for at in range(0, len(whole), size))
