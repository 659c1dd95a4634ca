"""The built-in tools with what they need of the other rooms, none of which they know."""

import logging
from pathlib import Path

from cetp_gateway.api import Memory, Tool
from cetp_gateway.assemble.person import PersonAtHand
from cetp_gateway.builtin import KeptResults, TodoStore
from cetp_gateway.builtin.all_tools import all_tools
from cetp_gateway.builtin.builtin_parts import BuiltinParts
from cetp_gateway.builtin.devices import KnownDevices
from cetp_gateway.builtin.skills import KnownSkills
from cetp_gateway.memory import NoMemory, rests_on
from cetp_gateway.policy import CommandRules, Questions
from cetp_gateway.schedules import ScheduleBook
from cetp_gateway.sessions import SessionSearch, SessionStore
from cetp_gateway.settings import Settings
from cetp_gateway.storage import Database

_log = logging.getLogger(__name__)


def shipped_tools(
    settings: Settings,
    *,
    data_folder: Path,
    database: Database,
    sessions: SessionStore,
    memory: Memory,
    devices: KnownDevices,
    questions: Questions,
    schedules: ScheduleBook,
    skills: KnownSkills,
    results: KeptResults,
) -> list[Tool]:
    """Those that the settings leave switched on. Without a memory those of the memory are left out, and it is said."""
    if isinstance(memory, NoMemory):
        _log.info("nothing lasts beyond a session, so there are no memory tools")

    async def rests_on_words(text: str, session_id: str) -> bool:
        return rests_on(text, await sessions.said(session_id))

    parts = BuiltinParts(
        data_folder=data_folder,
        said=sessions.said,
        rests_on_words=rests_on_words,
        memory=None if isinstance(memory, NoMemory) else memory,
        commands=CommandRules(settings.policy.allowed_commands),
        sessions=SessionSearch(database),
        devices=devices,
        person=PersonAtHand(questions),
        todos=TodoStore(database),
        schedules=schedules,
        skills=skills,
        results=results,
    )
    return all_tools(settings, parts)
