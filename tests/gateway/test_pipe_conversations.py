"""Every conversation of the vectors goes as written, with this host's session and with this agent's link."""

import pytest

from cetp_spec.pipe.vectors import Conversation, conversations
from support.pipe_agent_player import AgentPlayer
from support.pipe_clock import run
from support.pipe_host_player import HostPlayer

FOR_HOSTS = [conversation for conversation in conversations() if "host" in conversation.tests]
FOR_AGENTS = [conversation for conversation in conversations() if "agent" in conversation.tests]


@pytest.mark.parametrize("conversation", FOR_HOSTS, ids=lambda conversation: conversation.description)
@pytest.mark.requirement(
    "pipe.1.browser-side",
    "pipe.2.seq",
    "pipe.2.seq-duplicate",
    "pipe.2.seq-order",
    "pipe.2.size",
    "pipe.2.one-response",
    "pipe.3.init",
    "pipe.3.version-mismatch",
    "pipe.6.breaker",
    "pipe.6.internal",
    "pipe.7.seq-scenarios",
)
def test_a_host_keeps_to_the_conversation(conversation: Conversation) -> None:
    HostPlayer(conversation).play()


@pytest.mark.parametrize("conversation", FOR_AGENTS, ids=lambda conversation: conversation.description)
@pytest.mark.requirement(
    "pipe.1.runtime-side",
    "pipe.2.one-response",
    "pipe.3.init-ack",
    "pipe.3.version-mismatch",
    "pipe.6.pipe-errors",
    "pipe.6.mac-errors",
    "pipe.6.selector-timeout",
    "pipe.6.navigation",
    "pipe.6.internal",
)
def test_an_agent_keeps_to_the_conversation(conversation: Conversation) -> None:
    run(AgentPlayer(conversation).play())


def test_every_conversation_tests_somebody() -> None:
    assert set(conversations_by_name()) == {conversation.file for conversation in (*FOR_HOSTS, *FOR_AGENTS)}


def conversations_by_name() -> list[str]:
    return [conversation.file for conversation in conversations()]
