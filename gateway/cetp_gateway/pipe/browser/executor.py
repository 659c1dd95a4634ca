"""Carries out commands on Chromium, one after the other: the checks around an action, its time, its log lines."""

import asyncio
import logging
import time

import msgspec
from playwright.async_api import Error

from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser.actions import ACTIONS, Action
from cetp_gateway.pipe.browser.chromium import Chromium
from cetp_gateway.pipe.browser.deadline import Deadline
from cetp_gateway.pipe.browser.execution import Execution, Result, fits, mismatch, stuck, too_large
from cetp_gateway.pipe.browser.failures import CommandFailed, translated
from cetp_gateway.pipe.browser.origins import Origins
from cetp_gateway.pipe.browser.params import Params
from cetp_gateway.pipe.browser.shots import ScreenshotFolder
from cetp_gateway.pipe.values import Command, Done, Ended, Failed
from cetp_spec.pipe import PipeCode

LOG = logging.getLogger("cetp_gateway.pipe")
BEYOND_S = 1.5
"""How long after a command's own time it is given up: enough for the checks after it, less than a host's patience."""


class ChromiumExecutor:
    """An Executor; made by `open_browser`."""

    def __init__(self, chromium: Chromium, shots: ScreenshotFolder) -> None:
        self._chromium = chromium
        self._shots = shots
        self._one_at_a_time = asyncio.Lock()
        self._seq = 0
        self._origins: Origins | None = None

    @property
    def supported(self) -> frozenset[str]:
        """All actions of pipe 8."""
        return frozenset(ACTIONS)

    async def execute(self, command: Command) -> Ended:
        """Carry out one command. Ends within two seconds of its `timeout_ms`."""
        async with self._one_at_a_time:
            began = time.monotonic()
            self._seq = command.seq
            LOG.info("seq=%d execution begins: %s on %s", command.seq, command.action, command.expected_domain)
            ended = await self._ended(command)
            took_ms = (time.monotonic() - began) * 1000
            outcome = ended.code if isinstance(ended, Failed) else "done"
            LOG.info("seq=%d execution ended: %s after %.0f ms", command.seq, outcome, took_ms)
            return ended

    async def _ended(self, command: Command) -> Ended:
        try:
            action, params = _read(command)
            origins = await self._page_for(command.action)
            return await self._on(origins, command, action, params)
        except CommandFailed as failed:
            return failed.failed
        except BrowserUnusable as error:
            return Failed(PipeCode.INTERNAL_BROWSER_CLOSED, error.message)

    async def _page_for(self, action: str) -> Origins:
        tab = await self._chromium.tab()
        if tab.stuck and action == "navigate":
            tab = await self._chromium.fresh_tab()
        if self._origins is None or self._origins.tab is not tab:
            self._origins = Origins(tab)
        return self._origins

    async def _on(self, origins: Origins, command: Command, action: Action, params: Params) -> Ended:
        tab, deadline = origins.tab, Deadline(params.timeout_ms)
        execution = Execution(origins, command.expected_domain, deadline, self._shots)
        tab.leave_on_request = action.leaves
        try:
            result = await self._bounded(execution, action, params)
        except CommandFailed as failed:
            return msgspec.structs.replace(failed.failed, details=failed.failed.details | tab.notes.take())
        answer = result | tab.notes.take()
        return Done(answer) if fits(answer) else too_large("The result").failed

    async def _bounded(self, execution: Execution, action: Action, params: Params) -> Result:
        tab = execution.tab
        try:
            async with asyncio.timeout(execution.deadline.left_s() + BEYOND_S):
                result = await tab.unless_gone(_checked(execution, action, params))
        except TimeoutError:
            tab.stuck = True
            raise stuck() from None
        except Error as error:
            raise self._told(error) from error
        if result is None:
            sentence = "The page has crashed or was closed; the next command gets a new one."
            raise CommandFailed(PipeCode.INTERNAL_BROWSER_CLOSED, sentence)
        return result

    def _told(self, error: Error) -> CommandFailed:
        failed = translated(error)
        if failed.failed.code == PipeCode.INTERNAL_UNKNOWN:
            LOG.warning("seq=%d not foreseen: %s", self._seq, error.message.partition("\n")[0][:300])
        return failed


def _read(command: Command) -> tuple[Action, Params]:
    action = ACTIONS.get(command.action)
    if action is None:
        raise CommandFailed(PipeCode.PIPE_SCHEMA_INVALID, "There is no such action.")
    try:
        return action, msgspec.convert(command.params, action.params)
    except msgspec.ValidationError as error:
        raise CommandFailed(PipeCode.PIPE_SCHEMA_INVALID, f"params: {error}") from error


async def _checked(execution: Execution, action: Action, params: Params) -> Result:
    """The action between its two checks; `navigate` makes its own."""
    if action.checks_itself:
        return await action.run(execution, params)
    await execution.require_page()
    try:
        result = await action.run(execution, params)
    except (CommandFailed, Error) as error:
        await _if_elsewhere(execution, executed=False, cause=error)
        raise
    execution.tab.stuck = False
    await _if_elsewhere(execution, executed=True)
    return result


async def _if_elsewhere(execution: Execution, *, executed: bool, cause: Exception | None = None) -> None:
    """MAC_DOMAIN_MISMATCH when the page has left its domain meanwhile. One that is still on its way keeps what was
    done; the next command waits for it.
    """
    try:
        facts = await execution.arrived()
    except (CommandFailed, Error):
        if execution.tab.stuck or (cause is None and not execution.tab.leaving.under_way):
            raise
        return
    if facts.domain != execution.domain:
        raise mismatch(execution.domain, facts.domain, executed=executed) from cause
