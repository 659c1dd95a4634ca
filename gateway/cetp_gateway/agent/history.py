"""Which messages a model is sent: the newest ones, never a call without its result. Plain functions.

Vendors check the whole list, so one unanswered call would fail every later turn.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from cetp_gateway.api import AssistantMessage, Message, ToolResults, UserMessage

Exchange = tuple[Message, ...]
"""Messages that stay or go together: one message, or an assistant's calls with their results."""


def trim_history(messages: Sequence[Message], max_history: int) -> list[Message]:
    """At most `max_history` messages, oldest first out; the list starts with a user's message.

    Whole turns go first. When the last turn alone is too long, its question stays and its oldest steps go. The
    question and the newest exchange stay in any case, so a limit under 3 may be exceeded. A call without its
    result, a result without its call and an answer without a question are left out.
    """
    turns = _turns(_exchanges(messages))
    kept: list[list[Exchange]] = []
    room = max_history
    for turn in reversed(turns):
        room -= sum(map(len, turn))
        if room < 0 and kept:
            break
        kept.append(turn if room >= 0 else _newest_steps(turn, max_history))
    return [message for turn in reversed(kept) for message in chain.from_iterable(turn)]


def _newest_steps(turn: list[Exchange], max_history: int) -> list[Exchange]:
    question, *exchanges = turn
    room = max_history - len(question)
    kept: list[Exchange] = []
    for exchange in reversed(exchanges):
        room -= len(exchange)
        if room < 0 and kept:
            break
        kept.append(exchange)
    return [question, *reversed(kept)]


def _turns(exchanges: Iterable[Exchange]) -> list[list[Exchange]]:
    """Lists of exchanges that start with a user's message each; what stands before the first one is left out."""
    turns: list[list[Exchange]] = []
    for exchange in exchanges:
        if isinstance(exchange[0], UserMessage):
            turns.append([exchange])
        elif turns:
            turns[-1].append(exchange)
    return turns


def _exchanges(messages: Sequence[Message]) -> Iterable[Exchange]:
    for index, message in enumerate(messages):
        match message:
            case UserMessage() | AssistantMessage(calls=()):
                yield (message,)
            case AssistantMessage():
                results = messages[index + 1] if index + 1 < len(messages) else None
                if isinstance(results, ToolResults) and _answers(results, message):
                    yield (message, results)
                elif message.text.strip():
                    yield (AssistantMessage(message.text),)


def _answers(results: ToolResults, message: AssistantMessage) -> bool:
    return [result.call_id for result in results.results] == [call.id for call in message.calls]
