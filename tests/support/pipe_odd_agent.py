"""Agents that misbehave, one for each name in CASES; run as a program: `python pipe_odd_agent.py NAME [FIFO]`.

Uses nothing of ours but signatures. Lines that the host answers with are repeated on standard error after `heard`.
A FIFO is opened for writing and held: whoever reads it sees its end when this process has died.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NoReturn

ACTIONS = ["navigate", "click", "type", "getText", "getPage"]
UUID = "5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b"
LIMIT = 1_048_576


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def say(message: dict[str, Any], *, width: int = 0) -> None:
    write(json.dumps(message).encode().ljust(width) + b"\n")


def hear() -> dict[str, Any]:
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    sys.stderr.write(f"heard {line.decode()}")
    sys.stderr.flush()
    heard: dict[str, Any] = json.loads(line)
    return heard


def acknowledge(version: str = "1.0") -> None:
    say({"type": "init_ack", "version": version, "agent_id": UUID, "supported_actions": ACTIONS})


def command(seq: int, action: str = "getPage", **params: Any) -> dict[str, Any]:
    from cetp_gateway.pipe.signing import Signer, signed_text  # noqa: PLC0415  (slow; most agents need none)
    from cetp_gateway.pipe.stable_json import stable_json  # noqa: PLC0415

    text = signed_text(seq, action, stable_json(params), "example.org")
    security = {"expected_domain": "example.org", "hmac": Signer(SEED).sign(text)}
    return {"seq": seq, "type": "command", "action": action, "params": params, "security": security}


def sleep_for_ever() -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stderr.write("asleep\n")
    sys.stderr.flush()
    while True:
        signal.pause()


def ends() -> None:
    acknowledge()


def waits() -> None:
    acknowledge()
    hear()


def silent() -> None:
    sleep_for_ever()


def deaf() -> None:
    acknowledge()
    sleep_for_ever()


def crashes() -> None:
    acknowledge()
    sys.exit(3)


def crashes_first() -> None:
    sys.exit(4)


def crashes_in_command() -> None:
    acknowledge()
    say(command(1, "click", selector="#a"))
    os.kill(os.getpid(), signal.SIGKILL)


def other_version() -> None:
    acknowledge("1.1")
    hear()


def prints_first() -> None:
    write(b"starting up\n")
    acknowledge()
    hear()


def half_a_line() -> None:
    acknowledge()
    write(json.dumps(command(1)).encode())


def garbage() -> None:
    acknowledge()
    for line in (b"garbage", b"\xff\xfe", b"{", b"[1,2]", b'{"seq":1,"seq":2}'):
        write(line + b"\n")
        hear()
    say(command(1))
    hear()


def in_pieces() -> None:
    acknowledge()
    for byte in json.dumps(command(1, "type", selector="#q", text="读取 🎉"), ensure_ascii=False).encode():
        write(bytes([byte]))
    write(b"\n")
    hear()


def many_at_once() -> None:
    acknowledge()
    write(b"".join(json.dumps(command(seq)).encode() + b"\n" for seq in range(1, 51)))
    for _ in range(50):
        hear()


def large() -> None:
    acknowledge()
    say(command(1), width=LIMIT)
    hear()
    say(command(2), width=LIMIT + 1)
    hear()
    say(command(3))
    hear()
    for _ in range(64):
        write(b"x" * LIMIT)
    write(b"\n")
    hear()
    say(command(4))
    hear()


def reads_nothing() -> None:
    acknowledge()
    for seq in range(1, 100_000):
        say(command(seq))


def closes_output() -> None:
    acknowledge()
    os.close(1)
    sleep_for_ever()


def leaves_a_child() -> None:
    acknowledge()
    held = os.open(sys.argv[2], os.O_WRONLY)
    subprocess.Popen(["sleep", "600"], pass_fds=[held], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def one_command() -> None:
    acknowledge()
    say(command(1, "click", selector="#a", timeout_ms=100))
    hear()
    say(command(2))
    hear()


CASES: dict[str, Callable[[], None]] = {
    case.__name__: case
    for case in (
        ends,
        waits,
        silent,
        deaf,
        crashes,
        crashes_first,
        crashes_in_command,
        other_version,
        prints_first,
        half_a_line,
        garbage,
        in_pieces,
        many_at_once,
        large,
        reads_nothing,
        closes_output,
        leaves_a_child,
        one_command,
    )
}

if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] != "leaves_a_child":
        os.open(sys.argv[2], os.O_WRONLY)
    SEED = hear()["hmac_seed"]
    CASES[sys.argv[1]]()
