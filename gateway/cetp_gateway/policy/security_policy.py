"""The guard: the first hook of every call and the last word on it. It cannot be configured away.

First it judges (autonomy, commands, actions per hour), then the configured hooks have their say, then it decides about
the call as it would run: a person is asked where one has to be, and what is about to do more than read is written down.
Whatever becomes of a call stands in the audit trail. Above: `assemble`. Below: `judgement`, `levels`, `action_limit`,
`approvals`, `grants`, `audit_log`.
"""

from collections.abc import Coroutine
from time import perf_counter, time
from typing import Any, Final

from cetp_gateway.api import Autonomy, CallContext, Denied, Effect, Outcome, ToolCall
from cetp_gateway.errors import StorageError
from cetp_gateway.policy.action_limit import ActionLimit, line_of
from cetp_gateway.policy.approval_desk import ApprovalDesk
from cetp_gateway.policy.audit_entry import EndedCall, Kind
from cetp_gateway.policy.audit_log import AuditLog
from cetp_gateway.policy.commands import CommandRules
from cetp_gateway.policy.globs import any_of
from cetp_gateway.policy.judgement import EFFECT_IN_WORDS, Judgement, is_unmarked, judge
from cetp_gateway.policy.levels import Levels
from cetp_gateway.policy.open_calls import OpenCall
from cetp_gateway.policy.session_tools import SessionTools
from cetp_gateway.settings.policy import PolicySettings

NAME: Final = "security"
_READS: Final = Effect.READS


class SecurityPolicy:
    """Implements api.Guard."""

    name = NAME

    def __init__(
        self,
        settings: PolicySettings,
        *,
        levels: Levels,
        tools: SessionTools,
        limit: ActionLimit,
        desk: ApprovalDesk,
        audit: AuditLog,
    ) -> None:
        self._levels = levels
        self._tools = tools
        self._limit = limit
        self._desk = desk
        self._audit = audit
        self._open: dict[str, OpenCall] = {}
        self.use(settings)

    def use(self, settings: PolicySettings) -> None:
        """Judge by other rules from the next decision on, also in turns that are running: whoever tightens a rule does
        not wait for their end. Raises SettingsError for a rule of `allowed_commands` and changes nothing.
        """
        self._commands = CommandRules(settings.allowed_commands)
        self._settings = settings
        self._always_ask = any_of(settings.always_ask) if settings.always_ask else None

    @property
    def open_calls(self) -> int:
        """Calls that have begun and not ended."""
        return len(self._open)

    def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        """Deny what no person could allow, and count the rest."""
        opened = self._open[context.call_id] = OpenCall(perf_counter())
        if context.session_id and (objection := self._tools.objection(call.tool, context.session_id)):
            return self._held_back(objection)
        if call.tool.effect is not _READS:
            if self._levels.of(context) is Autonomy.READ_ONLY:
                return self._read_only(call)
            if objection := self._commands.objection(call):
                return Denied(objection, NAME)
        if context.session_id or not self._is_light(call):
            line = line_of(context.session_id, context.client, context.caller)
            wait_s = self._limit.take(line)
            if wait_s:
                return Denied(self._too_often(wait_s), NAME)
            opened.line = line
        return call

    def needs_permit(self, call: ToolCall, context: CallContext) -> bool:  # noqa: ARG002
        """Light calls pass without, unless a rule wants a person for them."""
        return not self._is_light(call) or self._is_asked_always(call)

    async def permit(self, call: ToolCall, context: CallContext) -> CallContext | Denied:
        """Decide about the call as it would run."""
        opened = self._open[context.call_id]
        # Once more, since a hook may have put another command in the place of the one that was judged.
        if objection := self._commands.objection(call):
            return Denied(objection, NAME)
        judgement = self._judge(call, context)
        if judgement is Judgement.ASK:
            answer = await self._desk.ask(call, context, opened, always=self._is_asked_always(call))
            if isinstance(answer, Denied):
                return answer
            context = answer
            # A person may have taken their time, and the owner may have changed the rules meanwhile.
            judgement = self._judge(call, context)
            if objection := self._tools.objection(call.tool, context.session_id):
                return self._held_back(objection)
        if judgement is Judgement.DENY:
            return self._read_only(call)
        return await self._write_down(call, context, opened)

    def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> Coroutine[Any, Any, None] | None:
        """Write down what became of the call; for one that did more than read, before its caller hears of it."""
        opened = self._open.pop(context.call_id, None) or OpenCall(perf_counter())
        if isinstance(outcome, Denied):
            self._denied(opened, outcome)
        entry = _ended("call", call, context, outcome, opened)
        if opened.may_run:
            return self._audit.keep(entry)
        self._audit.note(entry)
        return None

    def _denied(self, opened: OpenCall, outcome: Denied) -> None:
        if opened.line:
            self._limit.give_back(opened.line)
        if outcome.by != NAME and not opened.by:
            opened.decision, opened.by = "hook", outcome.by

    async def _write_down(self, call: ToolCall, context: CallContext, opened: OpenCall) -> CallContext | Denied:
        """What cannot be written down does not run: afterwards one must be able to see what was done."""
        if self._is_light(call):
            return context
        entry = _ended("started", call, context, None, opened)
        try:
            await self._audit.keep(entry)
        except StorageError as error:
            return Denied(f"The call cannot be written into the audit trail, so it is not run. {error.message}", NAME)
        opened.may_run = True
        return context

    def _judge(self, call: ToolCall, context: CallContext) -> Judgement:
        level = self._levels.of(context)
        always_ask = self._is_asked_always(call)
        return judge(call.tool, level, ask_unmarked=self._settings.ask_unmarked, always_ask=always_ask)

    def _is_light(self, call: ToolCall) -> bool:
        """Whether it only reads, or is not known to do more and runs as with ClawSeed: such calls are many, and are
        written down a moment later.
        """
        tool = call.tool
        return tool.effect is _READS or (not self._settings.ask_unmarked and is_unmarked(tool))

    def _is_asked_always(self, call: ToolCall) -> bool:
        return self._always_ask is not None and any(map(self._always_ask, call.tool.names))

    def _held_back(self, objection: str) -> Denied:
        return Denied(f"This tool may not be used in this session: {objection}.", NAME)

    def _read_only(self, call: ToolCall) -> Denied:
        words = EFFECT_IN_WORDS[call.tool.effect]
        return Denied(f"Only tools that read may be used here (autonomy read_only), and of this one {words}.", NAME)

    def _too_often(self, wait_s: float) -> str:
        most = self._settings.max_actions_per_hour
        return (
            f"{most} actions within an hour are the most that is allowed here (policy.max_actions_per_hour); the next "
            f"may be in {max(1, round(wait_s))} s."
        )


def _ended(kind: Kind, call: ToolCall, context: CallContext, outcome: Outcome | None, opened: OpenCall) -> EndedCall:
    took_s = perf_counter() - opened.began
    return EndedCall(kind, call, context, outcome, opened.decision, opened.by, time(), took_s)
