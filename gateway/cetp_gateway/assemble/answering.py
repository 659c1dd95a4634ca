"""What answers a question: the turn loop with the model, the memory and the owner's texts in their places."""

import asyncio
from datetime import datetime
from pathlib import Path

import msgspec

from cetp_gateway.agent import ResultKeeper, ToolOffers, TurnJob, TurnLimits, remembered_notes, run_turn, system_prompt
from cetp_gateway.api import Emit, ModelProvider, ToolRules, ToolView, TurnRecord
from cetp_gateway.assemble.current import Current
from cetp_gateway.builtin import LOAD_SKILL, KeptResults, TodoStore, todo_note
from cetp_gateway.memory import Remembering
from cetp_gateway.models import CurrentModel, charged_to
from cetp_gateway.policy import SessionTools
from cetp_gateway.sessions import Persona, Personas, Question, personas_note
from cetp_gateway.settings import Settings
from cetp_gateway.skills import Skills, prompt_list
from cetp_gateway.tools import narrowed

_PERSONAS_SHARE = 4
"""The list of personas gets this part of `skills.prompt_tokens` at most."""


class Answering(msgspec.Struct, frozen=True, kw_only=True):
    """Answers the questions of all sessions, each with the settings, hooks and model in force when it begins."""

    current: Current
    model: CurrentModel
    personas: Personas
    skills: Skills
    memory: Remembering
    todos: TodoStore
    offers: ToolOffers
    session_tools: SessionTools
    results: KeptResults
    data_folder: Path

    async def __call__(self, question: Question, record: TurnRecord, emit: Emit) -> None:
        """Implements sessions.Answer."""
        persona = await self.personas.get(question.persona) if question.persona else None
        rules = persona.rules if persona else ToolRules()
        async with self.model.in_use() as model:
            with (
                self.session_tools.turn(question.session_id, rules) as narrowing,
                self.results.turn(question.session_id) as keeper,
                charged_to(question.session_id),
            ):
                tools = narrowed(question.tools, narrowing)
                await run_turn(await self._job(question, persona, tools, model, keeper), record, emit)
        if question.asker.vouched:
            self.memory.after_turn(question.session_id, question.user.text, record)

    async def _job(
        self,
        question: Question,
        persona: Persona | None,
        tools: ToolView,
        model: ModelProvider,
        keeper: ResultKeeper,
    ) -> TurnJob:
        settings, hooks = self.current.settings, self.current.hooks
        return TurnJob(
            model=model,
            tools=tools,
            hooks=hooks,
            system=system_prompt(
                instructions=settings.agent.instructions,
                persona=persona.prompt if persona else "",
                now=datetime.now().astimezone(),
                notes=[
                    *await asyncio.to_thread(_personality, self.data_folder / "personality"),
                    *await self._lists(settings, persona, tools),
                ],
            ),
            history=question.history,
            user=question.user,
            remembered=await self._in_front(question),
            session_id=question.session_id,
            caller=question.asker.caller,
            client=question.asker.client,
            limits=_limits(settings),
            offers=self.offers,
            keeper=keeper,
            workspace=self.data_folder / "workspace",
            debug=question.debug,
        )

    async def _lists(self, settings: Settings, persona: Persona | None, tools: ToolView) -> list[str]:
        """The skills, for a turn that can read them, and the personas."""
        tokens = settings.skills.prompt_tokens
        if not tokens:
            return []
        shelf = await self.skills.shelf() if tools.find(LOAD_SKILL) else None
        personas = personas_note(
            await self.personas.list(), persona.name if persona else "", most_tokens=tokens // _PERSONAS_SHARE
        )
        return [prompt_list(shelf.skills, tokens) if shelf else "", personas]

    async def _in_front(self, question: Question) -> str:
        """What the model is told before the person's words, in this turn alone."""
        remembered = remembered_notes(await self.memory.before_turn(question.user.text))
        return "\n\n".join(filter(None, (remembered, await todo_note(self.todos, question.session_id))))


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
