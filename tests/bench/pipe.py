"""Row 10: the browser pipe, both of its programs against a bare echo of lines, and signatures against a bare HMAC."""

import hmac
import time
from collections.abc import Callable, Iterator
from typing import Any

from cetp_gateway.pipe import Command
from cetp_gateway.pipe.agent_session import AgentSession
from cetp_gateway.pipe.receiver import Receiver
from cetp_gateway.pipe.signing import Signer, signed_text
from cetp_gateway.pipe.stable_json import stable_json

from .child import process
from .cores import SERVER_CORE
from .effort import Effort
from .table import PIPE_GROWTH, PIPE_HMAC, PIPE_ROUND_TRIP, PIPE_SIGNATURE, Result

_SEED = "5e" * 32
_DOMAIN = "erp.example.com"
_PARAMS = {"selector": "#note", "text": "读" * 100 + "x" * 520, "clear": True, "timeout_ms": 5000}
"""Of a command of 1 KB."""
_ROUNDS = 3000
_COMMANDS = 10_000
_SLACK_S = 60.0


def measure(effort: Effort) -> Iterator[Result]:
    """Round trips in turn with the echo's; growth over ten thousand commands; signatures in this process."""
    ours, bare = [], []
    for _ in range(effort.repetitions):
        ours.append(_run("link", effort.seconds, 0)["p50_us"])
        bare.append(_run("echo", effort.seconds, 0)["p50_us"])
    ratios = tuple(one / other for one, other in zip(ours, bare, strict=True))
    yield Result(PIPE_ROUND_TRIP, ratios, f"{min(ours):.0f} µs; a bare echo {min(bare):.0f} µs")
    yield from _signatures(effort)
    grown = _run("link", 0, _COMMANDS)
    both = grown["grown_kib"] + grown["host_grown_kib"]
    note = f"{grown['count']} commands; host {grown['host_grown_kib']:.0f}, agent {grown['grown_kib']:.0f}"
    yield Result(PIPE_GROWTH, (both,), note)


def _run(kind: str, seconds: float, count: int) -> dict[str, Any]:
    with process("pipe_host", kind, seconds, count, core=SERVER_CORE) as host:
        return host.value("DONE", within_s=seconds + _SLACK_S)


def _signatures(effort: Effort) -> Iterator[Result]:
    signer = Signer(_SEED)
    text = signed_text(1, "type", stable_json(_PARAMS), _DOMAIN)

    def sign_and_check() -> None:
        signature = signer.sign(signed_text(1, "type", stable_json(_PARAMS), _DOMAIN))
        if not signer.fits(signed_text(1, "type", stable_json(_PARAMS), _DOMAIN), signature):
            raise RuntimeError("signed wrongly")

    def digest() -> None:
        hmac.digest(b"k" * 32, text, "sha256")

    both = [(_cpu_us(sign_and_check), _cpu_us(digest)) for _ in range(effort.repetitions)]
    whole = min(_cpu_us(_send_and_receive()) for _ in range(effort.repetitions))
    note = f"{len(text)} bytes; with reading, checks of form and writing {whole:.1f} µs"
    yield Result(PIPE_SIGNATURE, tuple(ours for ours, _ in both), note)
    yield Result(PIPE_HMAC, tuple(ours / bare for ours, bare in both), f"one digest {min(b for _, b in both):.1f} µs")


def _send_and_receive() -> Callable[[], None]:
    agent = AgentSession("5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b", ["type"])
    agent.receive(b'{"type":"init","version":"1.0","hmac_seed":"' + _SEED.encode() + b'"}')
    host = Receiver(Signer(_SEED), offered={"type"}, announced={"type"})

    def once() -> None:
        _, line = agent.send("type", _PARAMS, _DOMAIN)
        if not isinstance(host.receive(line[:-1]), Command):
            raise TypeError("refused")

    return once


def _cpu_us(act: Callable[[], None]) -> float:
    """Processor time of one, in microseconds."""
    act()
    started = time.process_time()
    for _ in range(_ROUNDS):
        act()
    return (time.process_time() - started) / _ROUNDS * 1e6
