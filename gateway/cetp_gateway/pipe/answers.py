"""Responses: written by the host, read by the agent (pipe 4.4). Plain functions of values."""

from typing import Any

import msgspec

from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.lines import MAX_LINE_BYTES
from cetp_gateway.pipe.retries import EXECUTED
from cetp_gateway.pipe.values import Done, Ended, Failed
from cetp_spec.pipe import PipeCode

_MAX_MESSAGE_CHARS = 2000

_encode = msgspec.json.Encoder().encode


def response(seq: int, ended: Ended) -> bytes:
    """The line that answers a command, with its line feed; never larger than a message may be (pipe 3.2).

    Raises:
        TypeError: the result or the details hold something that JSON has no word for.
    """
    line = _written(seq, ended)
    if len(line) > MAX_LINE_BYTES:
        text = f"the answer has {len(line)} bytes and a message {MAX_LINE_BYTES} at most"
        line = _written(seq, Failed(PipeCode.CMD_RESULT_TOO_LARGE, text, {EXECUTED: True}))
    return line + b"\n"


def read_response(message: dict[str, Any]) -> Ended:
    """What a message of the type `response` says; one of the wrong form is a failure, PIPE_SCHEMA_INVALID."""
    problem = misfit("response", message)
    if problem:
        return Failed(PipeCode.PIPE_SCHEMA_INVALID, f"the host's response: {problem}")
    if message["success"]:
        return Done(message.get("result", {}))
    error = message["error"]
    return Failed(error["code"], error["message"], error.get("details", {}))


def _written(seq: int, ended: Ended) -> bytes:
    answer = _answer(seq, ended)
    try:
        return _encode(answer)
    except UnicodeEncodeError:
        # Pages may hold half a character, JSON may not.
        return _encode(_whole(answer))


def _answer(seq: int, ended: Ended) -> dict[str, Any]:
    if isinstance(ended, Done):
        return {"seq": seq, "type": "response", "success": True, "result": ended.result}
    error: dict[str, Any] = {"code": ended.code, "message": ended.message[:_MAX_MESSAGE_CHARS] or ended.code}
    if ended.details:
        error["details"] = ended.details
    return {"seq": seq, "type": "response", "success": False, "error": error}


def _whole(value: Any) -> Any:
    """The same with a replacement mark for each half of a character."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(part) for part in value]
    return value
