"""Plays a conversation of the specification (spec 14.3) against a gateway that listens."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from cetp_gateway.api import ToolUse
from cetp_spec.matching import fill, mismatch
from cetp_spec.vectors import Conversation, Step
from support.entered import Entered
from support.told_model import ToldModel
from support.whole import WITHIN_S, Frame
from support.wire_client import WireClient

AT_ANY_TIME = frozenset({"agent_start", "agent_end", "title_updated", "tools_changed"})


class ConversationPlayer:
    """One conversation: the device's lines are sent, the gateway's lines are expected, the rest is done."""

    def __init__(self, gateway: Entered, client: WireClient, model: ToldModel) -> None:
        self._gateway = gateway
        self._client = client
        self._model = model
        self._saved: dict[str, Any] = {}
        self._calls: dict[str, asyncio.Task[httpx.Response]] = {}
        self._greeting: Frame | None = client.greeting
        self._plays: dict[str, Callable[[Step], Awaitable[None]]] = {
            "device": self._device,
            "device_text": self._device_text,
            "device_closes": self._device_closes,
            "gateway": self._gateway_says,
            "gateway_closes": self._gateway_closes,
            "model": self._model_answers,
            "call": self._call,
            "cancel": self._cancel,
            "outcome": self._outcome,
            "owner": self._owner,
        }

    async def play(self, conversation: Conversation) -> None:
        """Do every step; the one that fails is named."""
        for number, step in enumerate(conversation.steps, 1):
            try:
                await self._plays[step.kind](step)
            except (AssertionError, TimeoutError, ConnectionClosed) as error:
                error.add_note(f"step {number} of {conversation.file}: {step.kind} {step.content}")
                raise

    async def _device(self, step: Step) -> None:
        await self._client.socket.send(json.dumps(fill(step.content, self._saved)))

    async def _device_text(self, step: Step) -> None:
        await self._client.socket.send(step.content)

    async def _device_closes(self, step: Step) -> None:
        async with asyncio.timeout(WITHIN_S):
            await self._client.socket.close(step.content)

    async def _gateway_says(self, step: Step) -> None:
        left = list(step.patterns)
        while left:
            frame = await self._next()
            problems = [mismatch(pattern, frame, self._saved) for pattern in left]
            if None in problems:
                del left[problems.index(None)]
            else:
                assert frame["type"] in AT_ANY_TIME, f"{frame}: {problems}"

    async def _next(self) -> Frame:
        if self._greeting is not None:
            frame, self._greeting = self._greeting, None
            return frame
        return await self._client.next()

    async def _gateway_closes(self, step: Step) -> None:
        code, _ = await self._client.closing()
        assert code == step.content

    async def _model_answers(self, step: Step) -> None:
        calls = (ToolUse(call["id"], call["name"], call["arguments"]) for call in step.content.get("calls", ()))
        self._model.tell(step.content.get("text", ""), tuple(calls))

    async def _call(self, step: Step) -> None:
        call = step.content
        body = {key: call[key] for key in ("arguments", "timeout_ms") if key in call}
        asking = self._gateway.http.post(f"/api/tools/{call['tool']}/call", content=json.dumps(body))
        self._calls[call["as"]] = asyncio.create_task(asking)

    async def _cancel(self, step: Step) -> None:
        call = self._calls[step.content]
        call.cancel()
        await asyncio.wait((call,), timeout=WITHIN_S)
        assert call.cancelled()

    async def _outcome(self, step: Step) -> None:
        expected = dict(step.content)
        call = self._calls[expected.pop("of")]
        if call.cancelled():
            return
        answer = (await asyncio.wait_for(call, WITHIN_S)).json()
        assert answer["outcome"] == expected.pop("is"), answer
        assert {key: answer.get(key) for key in expected} == expected

    async def _owner(self, step: Step) -> None:
        http = self._gateway.http
        if step.content == "restart":
            assert (await http.post("/admin/shutdown")).is_success
        else:
            (device,) = (await http.get("/admin/devices")).json()["devices"]
            assert (await http.delete(f"/admin/devices/{device['id']}")).is_success
