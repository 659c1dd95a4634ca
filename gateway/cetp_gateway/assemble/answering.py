"""What answers a question: the turn loop with the model, the memory and the owner's texts in their places."""

import asyncio
from datetime import datetime
from pathlib import Path

from cetp_gateway.agent import ToolOffers, TurnJob, TurnLimits, remembered_notes, run_turn, system_prompt
from cetp_gateway.api import Emit, ModelProvider, TurnRecord
from cetp_gateway.assemble.current import Current
from cetp_gateway.builtin import TodoStore, todo_note
from cetp_gateway.memory import Remembering
from cetp_gateway.models import CurrentModel, charged_to
from cetp_gateway.sessions import Answer, Personas, Question
from cetp_gateway.settings import Settings


def answering(
    current: Current,
    model: CurrentModel,
    personas: Personas,
    memory: Remembering,
    *,
    todos: TodoStore,
    offers: ToolOffers,
    data_folder: Path,
) -> Answer:
    """What answers the questions of all sessions, each with the settings, hooks and model in force when it begins."""

    async def answer(question: Question, record: TurnRecord, emit: Emit) -> None:
        async with model.in_use() as held:
            await answer_with(held, question, record, emit)

    async def answer_with(held: ModelProvider, question: Question, record: TurnRecord, emit: Emit) -> None:
        settings, hooks = current.settings, current.hooks
        persona = await personas.get(question.persona) if question.persona else None
        job = TurnJob(
            model=held,
            tools=question.tools,
            hooks=hooks,
            system=system_prompt(
                instructions=settings.agent.instructions,
                persona=persona.prompt if persona else "",
                now=datetime.now().astimezone(),
                notes=await asyncio.to_thread(_personality, data_folder / "personality"),
            ),
            history=question.history,
            user=question.user,
            remembered=await _in_front(question, memory, todos),
            session_id=question.session_id,
            caller=question.asker.caller,
            client=question.asker.client,
            limits=_limits(settings),
            offers=offers,
            workspace=data_folder / "workspace",
            debug=question.debug,
        )
        with charged_to(question.session_id):
            await run_turn(job, record, emit)
        if question.asker.vouched:
            memory.after_turn(question.session_id, question.user.text, record)

    return answer


async def _in_front(question: Question, memory: Remembering, todos: TodoStore) -> str:
    """What the model is told before the person's words, in this turn alone."""
    remembered = remembered_notes(await memory.before_turn(question.user.text))
    return "\n\n".join(filter(None, (remembered, await todo_note(todos, question.session_id))))


def _limits(settings: Settings) -> TurnLimits:
    return TurnLimits(
        max_steps=settings.agent.max_steps,
        max_history=settings.agent.max_history,
        max_tools=settings.model.max_tools,
        token_budget=settings.tools.token_budget,
        result_chars=settings.limits.result_chars,
        tool_timeout_s=settings.limits.tool_timeout_s,
    )


def _personality(folder: Path) -> list[str]:
    """The owner's texts about the agent, by file name; REST writes them (`/api/personality`)."""
    return [file.read_text("utf-8", errors="replace") for file in sorted(folder.glob("*.md"))]
