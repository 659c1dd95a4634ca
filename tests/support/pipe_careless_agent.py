"""Agents with one fault each: `python pipe_careless_agent.py FAULT`. What the checker must find."""

import json
import sys
import time
import uuid
from typing import Any

from cetp_gateway.pipe.agent_session import AgentSession, Answered, Unfit
from cetp_gateway.pipe.lines import MAX_LINE_BYTES, TOO_LARGE
from cetp_gateway.pipe.values import Ended, Failed

FAULT = sys.argv[1]
SEED = "00" * 32
ONE_ID = "5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b"


def hear() -> bytes:
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return line.removesuffix(b"\n")


def write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def log(text: str) -> None:
    if FAULT != "mute":
        print(text, file=sys.stderr, flush=True)


def shake_hands() -> AgentSession:
    session = AgentSession(ONE_ID if FAULT == "same_id" else str(uuid.uuid4()), ["getPage"])
    line = hear()
    if FAULT == "any_version":
        line = line.replace(b'"version":"2.0"', b'"version":"1.0"')
    event = session.receive(line)
    if isinstance(event, Unfit) and FAULT == "any_first_line":
        event = session.receive(json.dumps({"type": "init", "version": "1.0", "hmac_seed": SEED}).encode())
    write(event.line if not isinstance(event, Answered) and hasattr(event, "line") else b"")
    if isinstance(event, Unfit):
        log(event.failure.code)
        sys.exit(1)
    return session


def ask(session: AgentSession, *, skip: bool) -> Ended:
    if skip:
        session.send("getPage", {}, "example.org")
    seq, line = session.send("getPage", {}, "example.org")
    log(f"seq={seq} request")
    write(without_signature(line) if FAULT == "unsigned" else line)
    while True:
        ended = answer_in(session, hear())
        if ended is not None:
            log(f"seq={seq} response")
            return ended


def without_signature(line: bytes) -> bytes:
    message: dict[str, Any] = json.loads(line)
    message["security"]["hmac"] = "0" * 64
    return json.dumps(message).encode() + b"\n"


def answer_in(session: AgentSession, line: bytes) -> Ended | None:
    large = len(line) > MAX_LINE_BYTES
    if large and FAULT == "dies_of_size":
        sys.exit(5)
    if not large and FAULT == "dies_of_text" and isinstance(json.loads(line).get("error"), str):
        sys.exit(5)
    event = session.receive(TOO_LARGE if large else line)
    if isinstance(event, Answered):
        return event.ended
    return Failed("CMD_FRAME_NOT_FOUND", "whatever") if FAULT == "takes_any_answer" and not large else None


def main() -> None:
    session = shake_hands()
    for number, wait_s in enumerate((0.5, 1.0, 0.0)):
        ended = ask(session, skip={"from_zero": 0, "skips": 1}.get(FAULT) == number)
        if isinstance(ended, Failed) and ended.code == "PIPE_SEQ_OUT_OF_ORDER":
            sys.exit(1)
        time.sleep(0 if FAULT == "impatient" else wait_s)
    hear()


if __name__ == "__main__":
    main()
