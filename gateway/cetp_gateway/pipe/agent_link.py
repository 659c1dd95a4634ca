"""An agent's link to its host: asks for one action at a time, waits, tries again where that is right (pipe 5.4, 7.3).

Above: the tools and the command line of the agent. Below: `agent_session` decides what lines mean.
"""

import asyncio
import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from cetp_gateway.errors import PipeFailed
from cetp_gateway.pipe.agent_session import AgentSession, Answered, CannotSend, Dropped, Ready, Unfit
from cetp_gateway.pipe.circuit import CircuitNotice, Circuits
from cetp_gateway.pipe.frozen import ANSWER_GRACE_S, CLOSE_S, HANDSHAKE_S, limit_s
from cetp_gateway.pipe.lines import Line, LineFramer
from cetp_gateway.pipe.retries import retry_wait_ms
from cetp_gateway.pipe.values import Done, Ended, Failed
from cetp_spec.pipe import PipeCode

log = logging.getLogger(__name__)


def tell_nobody(_: CircuitNotice) -> None:
    """The log has it anyway."""


class AgentLink:
    """One session, made by `open`. Use as `async with await AgentLink.open(…) as link`."""

    def __init__(self, session: AgentSession, circuits: Circuits, on_circuit: Callable[[CircuitNotice], None]) -> None:
        self._session = session
        self._circuits = circuits
        self._on_circuit = on_circuit
        self._lines = LineFramer()
        self._input: asyncio.BaseTransport | None = None
        self._output: asyncio.WriteTransport | None = None
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answer: asyncio.Future[Ended] | None = None
        self._waiting = 0
        self._owed_until = 0.0
        self._turn = asyncio.Lock()
        self._gone = asyncio.Event()
        self._flushed = asyncio.Event()
        self.lost_count = False
        """The host said that a number was out of order: the program must end with another status than 0."""

    @classmethod
    async def open(
        cls,
        input_: IO[bytes],
        output: IO[bytes],
        supported_actions: Sequence[str],
        *,
        circuits: Circuits | None = None,
        on_circuit: Callable[[CircuitNotice], None] = tell_nobody,
        within_s: float = HANDSHAKE_S,
    ) -> "AgentLink":
        """Wait for `init` and answer it. `input_` and `output` are pipes (`take_stdio`), closed with the link.

        Raises:
            PipeFailed: no `init` in time, another version, or a first line that is none.
        """
        session = AgentSession(str(uuid.uuid4()), supported_actions)
        link = cls(session, Circuits() if circuits is None else circuits, on_circuit)
        loop = asyncio.get_running_loop()
        link._output, _ = await loop.connect_write_pipe(lambda: _Output(link), output)
        link._input, _ = await loop.connect_read_pipe(lambda: _Input(link), input_)
        try:
            async with asyncio.timeout(within_s):
                await link._ready
        except TimeoutError:
            await link.close()
            text = f"the host said no init within {within_s * 1000:g} ms"
            raise PipeFailed(PipeCode.PIPE_HANDSHAKE_TIMEOUT, text) from None
        except BaseException:
            await link.close()
            raise
        return link

    @property
    def last_seq(self) -> int:
        """The number of the latest command that was written; 0 before the first."""
        return self._session.last

    async def command(self, action: str, params: Mapping[str, Any], expected_domain: str) -> Ended:
        """Have one action carried out, with the retries of pipe 7.3; one after the other, whoever asks.

        Ends by itself: `timeout_ms` of the params and 5 s for each try. When cancelled, the answer is dropped later.
        """
        async with self._turn:
            retries = 0
            while True:
                ended = await self._once(action, params, expected_domain)
                if isinstance(ended, Done):
                    return ended
                wait_ms = retry_wait_ms(ended, retries)
                if wait_ms is None or await self._gone_within(wait_ms / 1000):
                    return ended
                retries += 1
                log.info("seq=%d retry %d of %s after %s", self._waiting, retries, action, ended.code)

    async def wait_closed(self) -> None:
        """Until the host has closed the pipe, or this side has."""
        await self._gone.wait()

    async def close(self) -> None:
        """End the session; what is written already still goes out, within a bound."""
        self.ended()
        for transport in (self._input, self._output):
            if transport is not None:
                transport.close()
        if self._output is not None:
            try:
                async with asyncio.timeout(CLOSE_S):
                    await self._flushed.wait()
            except TimeoutError:
                self._output.abort()

    async def __aenter__(self) -> "AgentLink":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def heard(self, chunk: bytes) -> None:
        """Bytes of the host."""
        for line in self._lines.feed(chunk):
            self._act(line)

    def ended(self) -> None:
        """The pipe has ended, or this side ends it."""
        self._gone.set()
        if dropped := self._lines.finish():
            log.warning("the host ended with half a line of %d bytes, which is dropped", dropped)
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(self._session.closed(self._waiting))
        if not self._ready.done():
            self._ready.set_exception(PipeFailed(PipeCode.PIPE_CLOSED, "the host closed the pipe before init"))

    def flushed(self) -> None:
        """Nothing is left to write, or nobody reads it."""
        self._flushed.set()
        self.ended()

    def _act(self, line: Line) -> None:
        match self._session.receive(line):
            case Answered(seq, ended, over):
                log.info("seq=%d response: %s", seq, "done" if isinstance(ended, Done) else ended.code)
                if self._answer is not None and not self._answer.done():
                    self._answer.set_result(ended)
                if over:
                    self.lost_count = True
                    self.ended()
            case Dropped(seq, failure):
                log.warning("seq=%d dropped: %s, %s", seq, failure.code, failure.message)
            case Ready(acknowledgement):
                self._write(acknowledgement)
                if not self._ready.done():
                    self._ready.set_result(None)
            case Unfit(failure, acknowledgement):
                self._write(acknowledgement)
                if not self._ready.done():
                    self._ready.set_exception(PipeFailed(failure.code, failure.message))

    def _write(self, line: bytes) -> None:
        # Never more than one line waits here: nothing else is sent before its answer.
        if line and self._output is not None:
            self._output.write(line)

    async def _once(self, action: str, params: Mapping[str, Any], expected_domain: str) -> Ended:
        now = asyncio.get_running_loop().time()
        if self._gone.is_set():
            return Failed(PipeCode.PIPE_CLOSED, "the pipe to the browser has ended; nothing was sent")
        refusal = self._circuits.refusal(action, now)
        if refusal is not None:
            return refusal
        try:
            seq, line = self._session.send(action, params, expected_domain)
        except CannotSend as error:
            return error.failure
        log.info("seq=%d request: %s on %s", seq, action, expected_domain)
        # The host may still be busy with a command that nobody waits for any more.
        patience_s = limit_s(params) + ANSWER_GRACE_S + max(0.0, self._owed_until - now)
        ended = await self._answered(seq, line, patience_s)
        notice = self._circuits.record(action, ended, asyncio.get_running_loop().time())
        if notice is not None:
            log.warning("circuit: %s", notice)
            self._on_circuit(notice)
        return ended

    async def _answered(self, seq: int, line: bytes, patience_s: float) -> Ended:
        self._waiting = seq
        self._answer = asyncio.get_running_loop().create_future()
        try:
            self._write(line)
            async with asyncio.timeout(patience_s):
                return await self._answer
        except TimeoutError:
            log.warning("seq=%d no answer within %g s", seq, patience_s)
            return self._session.give_up(seq)
        except asyncio.CancelledError:
            self._session.give_up(seq)
            self._owed_until = asyncio.get_running_loop().time() + patience_s
            raise
        finally:
            self._answer = None

    async def _gone_within(self, wait_s: float) -> bool:
        try:
            async with asyncio.timeout(wait_s):
                await self._gone.wait()
        except TimeoutError:
            return False
        return True


class _Input(asyncio.Protocol):
    def __init__(self, link: AgentLink) -> None:
        self._link = link

    def data_received(self, data: bytes) -> None:
        self._link.heard(data)

    def connection_lost(self, _: Exception | None) -> None:
        self._link.ended()


class _Output(asyncio.BaseProtocol):
    def __init__(self, link: AgentLink) -> None:
        self._link = link

    def connection_lost(self, _: Exception | None) -> None:
        self._link.flushed()
