"""Every built-in tool, in one place and in a fixed order.

Above: `assemble`. Below: the tools, each in the file of its noun.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from cetp_gateway.api import Tool
from cetp_gateway.builtin.ask_user import AskUser
from cetp_gateway.builtin.builtin_parts import BuiltinParts
from cetp_gateway.builtin.calculator.calculate import Calculate
from cetp_gateway.builtin.commands.run_command import RunCommand
from cetp_gateway.builtin.current_time import CurrentTime
from cetp_gateway.builtin.data.query_csv import QueryCsv
from cetp_gateway.builtin.data.query_json import QueryJson
from cetp_gateway.builtin.data.source import Sources
from cetp_gateway.builtin.dates.calculate_date import CalculateDate
from cetp_gateway.builtin.devices import DevicesList, DeviceState
from cetp_gateway.builtin.files import FileSpace
from cetp_gateway.builtin.files.edit_file import EditFile
from cetp_gateway.builtin.files.find_files import FindFiles
from cetp_gateway.builtin.files.list_files import ListFiles
from cetp_gateway.builtin.files.read_file import ReadFile
from cetp_gateway.builtin.files.search_files import SearchFiles
from cetp_gateway.builtin.files.write_file import WriteFile
from cetp_gateway.builtin.memory.reading import MemoryExport, MemoryGet, MemoryList, MemoryRecall
from cetp_gateway.builtin.memory.writing import MemoryForget, MemoryStore
from cetp_gateway.builtin.results.read_result import ReadResult
from cetp_gateway.builtin.schedules import schedule_tools
from cetp_gateway.builtin.sessions import SessionsList, SessionsSearch
from cetp_gateway.builtin.skills import LoadSkill
from cetp_gateway.builtin.todo.tools import TodoChange, TodoList
from cetp_gateway.builtin.web.client import WebClient
from cetp_gateway.builtin.web.search import WebSearch
from cetp_gateway.builtin.web.tools import WebFetch, WebOpen
from cetp_gateway.builtin.web.url import host_rule
from cetp_gateway.settings.builtin import BuiltinSettings
from cetp_gateway.settings.schema import Settings


def all_tools(settings: Settings, parts: BuiltinParts) -> list[Tool]:
    """The tools that the settings leave switched on and for which all that they need is there."""
    return [tool for tool in _every(settings, parts) if is_switched_on(tool.spec.name, settings.builtin)]


def is_switched_on(name: str, settings: BuiltinSettings) -> bool:
    """Whether a tool of this name is wanted."""
    return _fits(name, settings.enabled) and not _fits(name, settings.disabled)


def _every(settings: Settings, parts: BuiltinParts) -> Iterator[Tool]:
    space = FileSpace(settings.builtin, parts.data_folder)
    yield from _of_files(space)
    if parts.commands is not None and parts.commands.allowed:
        yield RunCommand(parts.commands, space, settings.builtin)
    yield CurrentTime()
    yield CalculateDate()
    yield Calculate()
    sources = Sources(space, parts.results)
    yield QueryJson(sources)
    yield QueryCsv(sources)
    if parts.results is not None:
        yield ReadResult(parts.results)
    yield from _web(settings.builtin, parts)
    if parts.memory is not None:
        yield MemoryStore(parts.memory, parts.rests_on_words)
        yield MemoryRecall(parts.memory)
        yield MemoryGet(parts.memory)
        yield MemoryList(parts.memory)
        yield MemoryForget(parts.memory)
        yield MemoryExport(parts.memory)
    if parts.sessions is not None:
        yield SessionsList(parts.sessions)
        yield SessionsSearch(parts.sessions)
    if parts.devices is not None:
        yield DevicesList(parts.devices)
        yield DeviceState(parts.devices)
    if parts.person is not None:
        yield AskUser(parts.person, timeout_s=settings.builtin.question_timeout_s)
    if parts.todos is not None:
        yield TodoChange(parts.todos)
        yield TodoList(parts.todos)
    if parts.schedules is not None:
        yield from schedule_tools(parts.schedules)
    if parts.skills is not None:
        yield LoadSkill(parts.skills)


def _web(settings: BuiltinSettings, parts: BuiltinParts) -> Iterator[Tool]:
    client = _web_client(settings, settings.allow_private_hosts)
    yield WebOpen(client, host_rule(settings.fetch_hosts), parts.said)
    yield WebFetch(client)
    if settings.search_url:
        # The owner's choice of an endpoint, which may well be in their own network.
        anywhere = _web_client(settings, ("*",))
        yield WebSearch(
            anywhere, settings.search_url, key=settings.search_api_key, key_header=settings.search_key_header
        )


def _web_client(settings: BuiltinSettings, private: Iterable[str]) -> WebClient:
    return WebClient(most_bytes=settings.fetch_bytes, timeout_s=settings.fetch_timeout_s, private=host_rule(private))


def _of_files(space: FileSpace) -> Iterator[Tool]:
    yield ListFiles(space)
    yield ReadFile(space)
    yield WriteFile(space)
    yield EditFile(space)
    yield FindFiles(space)
    yield SearchFiles(space)


def _fits(name: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
