"""A host's link to one agent: starts it, shakes hands, carries out command after command, until one of them ends.

The only task that reads and the only one that writes this pipe. Above: `keeper`, the command line. Below:
`host_session` decides what lines mean, `child` is the process, the executor is the browser.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic

import msgspec

from cetp_gateway.pipe.answers import response
from cetp_gateway.pipe.child import CANNOT_RUN, CannotStart, Child
from cetp_gateway.pipe.circuit import CircuitNotice, Circuits
from cetp_gateway.pipe.executor import Executor
from cetp_gateway.pipe.frozen import CLOSE_S, HANDSHAKE_S, limit_s
from cetp_gateway.pipe.host_session import Acknowledged, HostSession
from cetp_gateway.pipe.lines import Line, LineFramer
from cetp_gateway.pipe.receiver import Refusal
from cetp_gateway.pipe.session_end import SessionEnd, SessionState
from cetp_gateway.pipe.values import Command, Done, Ended, Failed
from cetp_spec.pipe import PipeCode

log = logging.getLogger(__name__)

_OVERTIME_S = 2.0
"""An executor that is so much over a command's own limit is stopped."""
_SEED_BYTES = 32


class HostOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a host may set."""

    domains: Collection[str] | None = None
    """Those that commands may expect; None allows all."""
    environment: Mapping[str, str] | None = None
    """Of the agent; None gives it the host's own."""
    handshake_s: float = HANDSHAKE_S
    close_s: float = CLOSE_S
    write_s: float = 30.0
    """An agent that does not read for so long has crashed."""


DEFAULT_OPTIONS = HostOptions()


def tell_nobody(_: object) -> None:
    """For a host without a UI; the log has it anyway."""


class HostLink:
    """One session. Made for one `run`; another needs another link, and gets another seed.

    Args:
        command: the agent's program and its arguments.
        executor: the browser.
        circuits: those of the host, which outlast the session.
        on_circuit: told when a circuit opens or closes again; must not block.
        on_state: told of every new state; must not block.
    """

    def __init__(
        self,
        command: Sequence[str],
        executor: Executor,
        *,
        circuits: Circuits | None = None,
        options: HostOptions = DEFAULT_OPTIONS,
        on_circuit: Callable[[CircuitNotice], None] = tell_nobody,
        on_state: Callable[[SessionState], None] = tell_nobody,
    ) -> None:
        self.state = SessionState.STARTING
        self._command = command
        self._executor = executor
        self._options = options
        self._on_circuit = on_circuit
        self._on_state = on_state
        self._session = HostSession(
            secrets.token_hex(_SEED_BYTES),
            offered=executor.supported,
            circuits=Circuits() if circuits is None else circuits,
            domains=options.domains,
        )
        self._child: Child | None = None
        self._executing: asyncio.Timeout | None = None
        self._closing = False
        self._agent_id = ""
        self._commands = 0

    async def run(self) -> SessionEnd:
        """Start the agent and serve it until the session is over; how it ended. Cancelling ends the agent too."""
        try:
            self._child = child = await Child.start(self._command, environment=self._options.environment)
        except CannotStart as error:
            return self._over(SessionEnd(state=SessionState.FAILED, message=str(error)))
        end: SessionEnd | None = None
        served = killed = False
        try:
            end = await self._serve(child)
            served = True
        finally:
            if served and end is None:
                killed = await asyncio.shield(child.end(self._options.close_s))
            else:
                await asyncio.shield(child.kill())
        return self._over(self._farewell(child, killed=killed) if end is None else end)

    def close(self) -> None:
        """End the session: the command that is being carried out is stopped, and the agent's input closed."""
        self._closing = True
        if self._child is not None:
            self._child.hang_up()
        if self._executing is not None:
            self._executing.reschedule(asyncio.get_running_loop().time())

    def _enter(self, state: SessionState) -> None:
        self.state = state
        self._on_state(state)

    async def _serve(self, child: Child) -> SessionEnd | None:
        """Until the agent's output ends or the host closes (None), or the host must end the agent."""
        self._enter(SessionState.HANDSHAKING)
        lines = LineFramer()
        try:
            async with asyncio.timeout(self._options.handshake_s) as handshake:
                await child.write(self._session.opening())
                while not self._closing and (chunk := await child.read()):
                    for line in lines.feed(chunk):
                        end = await self._act(child, line, handshake)
                        if end is not None or self._closing:
                            return end
        except TimeoutError:
            return self._session.silent()
        except AgentStuck:
            return SessionEnd(
                state=SessionState.CRASHED, message=f"the agent read nothing for {self._options.write_s:g} s"
            )
        if dropped := lines.finish():
            log.warning("agent %d ended with half a line of %d bytes, which is dropped", child.pid, dropped)
        return None

    async def _act(self, child: Child, line: Line, handshake: asyncio.Timeout) -> SessionEnd | None:
        event = self._session.receive(line, monotonic())
        match event:
            case Command():
                await self._carry_out(child, event)
            case Refusal(seq, failure):
                log.warning("seq=%d refused: %s, %s", seq, failure.code, failure.message)
                await self._answer(child, seq, failure)
            case Acknowledged(agent_id, announced):
                handshake.reschedule(None)
                self._agent_id = agent_id
                self._enter(SessionState.RUNNING)
                log.info("agent %d is %s and may ask for %s", child.pid, agent_id, ", ".join(announced))
            case SessionEnd():
                return event
        return None

    async def _carry_out(self, child: Child, command: Command) -> None:
        log.info("seq=%d request: %s on %s", command.seq, command.action, command.expected_domain)
        began = monotonic()
        ended = await self._execute(command)
        now = monotonic()
        self._commands += 1
        log.info(
            "seq=%d execution: %s took %.0f ms, %s", command.seq, command.action, (now - began) * 1000, _said(ended)
        )
        notice = self._session.record(command, ended, now)
        if notice is not None:
            log.warning("circuit: %s", notice)
            self._on_circuit(notice)
        await self._answer(child, command.seq, ended)

    async def _execute(self, command: Command) -> Ended:
        try:
            async with asyncio.timeout(limit_s(command.params) + _OVERTIME_S) as self._executing:
                return await self._executor.execute(command)
        except TimeoutError:
            why = "the host is closing" if self._closing else f"{command.action} did not end in time"
            return Failed(PipeCode.INTERNAL_UNKNOWN, why)
        except Exception:
            # The one border between the browser's faults and the wire: no library's text crosses it.
            log.exception("seq=%d execution: the executor failed", command.seq)
            return Failed(PipeCode.INTERNAL_UNKNOWN, "the host failed; its log says more")
        finally:
            self._executing = None

    async def _answer(self, child: Child, seq: int, ended: Ended) -> None:
        try:
            line = response(seq, ended)
        except TypeError:
            log.exception("seq=%d response: the executor's result is no JSON", seq)
            line = response(seq, Failed(PipeCode.INTERNAL_UNKNOWN, "the host failed; its log says more"))
        try:
            async with asyncio.timeout(self._options.write_s):
                await child.write(line)
        except TimeoutError:
            raise AgentStuck from None
        log.info("seq=%d response: %d bytes", seq, len(line))

    def _farewell(self, child: Child, *, killed: bool) -> SessionEnd:
        """The agent's output has ended, or the host has closed."""
        status = child.exit_status
        if killed:
            return SessionEnd(state=SessionState.CRASHED, message="the agent did not end and was killed")
        if status == CANNOT_RUN and not self._agent_id:
            return SessionEnd(state=SessionState.FAILED, message=f"{self._command[0]} cannot be started")
        if status == 0 or (self._closing and status is not None and status > 0 and not self._agent_id):
            return SessionEnd(state=SessionState.ENDED)
        return SessionEnd(state=SessionState.CRASHED, message=f"the agent ended with status {status}")

    def _over(self, end: SessionEnd) -> SessionEnd:
        self._enter(end.state)
        status = None if self._child is None else self._child.exit_status
        whole = msgspec.structs.replace(end, agent_id=self._agent_id, exit_status=status, commands=self._commands)
        level = logging.INFO if end.state is SessionState.ENDED else logging.WARNING
        log.log(level, "session %s: %s %s", end.state, end.code, end.message)
        return whole


class AgentStuck(Exception):
    """The agent does not read what the host writes."""


def _said(ended: Ended) -> str:
    return "done" if isinstance(ended, Done) else ended.code
