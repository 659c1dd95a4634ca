"""What a vendor wants to see again word for word, kept with the message as JSON (`AssistantMessage.replay`).

Only the adapter and model that wrote it read it: signatures mean nothing to others.
"""

from typing import Any

import msgspec

from cetp_gateway.api import AssistantMessage


class _Replay(msgspec.Struct, frozen=True):
    adapter: str
    model: str
    body: Any


def write_replay(adapter: str, model: str, body: Any) -> str:
    """The text for `AssistantMessage.replay`."""
    return msgspec.json.encode(_Replay(adapter, model, body)).decode()


def read_replay(message: AssistantMessage, adapter: str, model: str) -> Any:
    """What this adapter kept of the message for this model; None when there is nothing."""
    if not message.replay:
        return None
    try:
        replay = msgspec.json.decode(message.replay, type=_Replay)
    except (msgspec.DecodeError, RecursionError):
        return None
    return replay.body if (replay.adapter, replay.model) == (adapter, model) else None
