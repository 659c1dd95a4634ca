"""Every conversation of the specification, played against a gateway on a real socket."""

from pathlib import Path

import pytest

from cetp_spec.vectors import Conversation, conversations
from support.conversation_player import ConversationPlayer
from support.entered import entered
from support.told_model import ToldModel
from support.wire_client import wire

ASKED_FIRST = {"always_ask": ["*__asked_first"]}


@pytest.mark.requirement("cetp.3.1.forward")
@pytest.mark.parametrize("conversation", conversations(), ids=lambda conversation: conversation.file)
async def test_the_gateway_says_its_lines_of_a_conversation(tmp_path: Path, conversation: Conversation) -> None:
    model = ToldModel()
    async with (
        entered(tmp_path, model=model, builtin={"enabled": ["ask_user"]}, policy=ASKED_FIRST) as gateway,
        wire(gateway.running, token=gateway.token) as client,
    ):
        await ConversationPlayer(gateway, client, model).play(conversation)
