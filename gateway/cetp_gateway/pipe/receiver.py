"""The host's checks of a line, in the order of pipe 5.5, up to its lists. No I/O.

A command comes out, or the refusal that answers the line. Above: `host_session`. Below: JSON, forms, signatures.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.lines import MAX_LINE_BYTES, Line, TooLarge
from cetp_gateway.pipe.numbering import Numbering, number_in
from cetp_gateway.pipe.signing import Signer, signed_text
from cetp_gateway.pipe.stable_json import Unstable, settled, written
from cetp_gateway.pipe.strict_json import NotJson, read_object
from cetp_gateway.pipe.values import Command, Failed
from cetp_spec.pipe import PipeCode, actions

_FIELDS = frozenset({"seq", "type", "action", "params", "security"})
_MAX_NAME_CHARS = 64


class Refusal(msgspec.Struct, frozen=True):
    """A line that is no command to carry out."""

    seq: int
    """0 when the line has none."""
    failure: Failed


class _Refused(Exception):
    def __init__(self, code: PipeCode, message: str) -> None:
        super().__init__(message)
        self.failure = Failed(code, message)


class Receiver:
    """Takes the lines of one session.

    Args:
        signer: with the key of the session.
        offered: actions that the host can carry out.
        announced: actions that the agent named in `init_ack`.
        domains: the host's list; None allows all.
    """

    def __init__(
        self,
        signer: Signer,
        *,
        offered: Collection[str],
        announced: Collection[str],
        domains: Collection[str] | None = None,
    ) -> None:
        self._signer = signer
        self._offered = offered
        self._announced = announced
        self._domains = domains
        self._numbering = Numbering()

    def receive(self, line: Line) -> Command | Refusal:
        """Check one line; never raises. Only a command with the right signature moves the count on."""
        seq = 0
        try:
            message = _message(line)
            seq = number_in(message)
            command, text, signature = _command(message, seq)
            self._check_number(seq)
            self._check_signature(text, signature)
        except _Refused as refused:
            if refused.failure.code not in {PipeCode.PIPE_SEQ_DUPLICATE, PipeCode.PIPE_SEQ_OUT_OF_ORDER}:
                self._numbering.pass_over()
            return Refusal(seq, refused.failure)
        self._numbering.take(seq)
        forbidden = self._forbidden(command)
        return command if forbidden is None else Refusal(seq, forbidden)

    def _check_number(self, seq: int) -> None:
        problem = self._numbering.problem(seq)
        if problem is not None:
            raise _Refused(*problem)

    def _check_signature(self, text: bytes, signature: str) -> None:
        if not self._signer.fits(text, signature):
            raise _Refused(PipeCode.MAC_HMAC_MISMATCH, "security.hmac is not the signature of this command")

    def _forbidden(self, command: Command) -> Failed | None:
        if command.action not in self._announced:
            text = f"{command.action} is not among supported_actions of init_ack"
            return Failed(PipeCode.MAC_ACTION_NOT_ALLOWED, text)
        if command.action not in self._offered:
            return Failed(PipeCode.MAC_ACTION_NOT_ALLOWED, f"this host does not offer {command.action}")
        if self._domains is not None and command.expected_domain not in self._domains:
            text = f"{command.expected_domain} is not on this host's list of domains"
            return Failed(PipeCode.MAC_DOMAIN_NOT_ALLOWED, text)
        return None


def _message(line: Line) -> dict[str, Any]:
    if isinstance(line, TooLarge):
        raise _Refused(PipeCode.PIPE_MESSAGE_TOO_LARGE, f"a message has at most {MAX_LINE_BYTES} bytes")
    try:
        return read_object(line)
    except NotJson as wrong:
        raise _Refused(PipeCode.PIPE_INVALID_JSON, str(wrong)) from None


def _command(message: dict[str, Any], seq: int) -> tuple[Command, bytes, str]:
    """The command, the text that should be signed, and the signature."""
    action = _envelope(message, seq)
    try:
        params = settled(message["params"])
        stable = written(params)
    except Unstable as wrong:
        raise _Refused(PipeCode.PIPE_SCHEMA_INVALID, f"params: {wrong}") from None
    domain, signature = _security(message.get("security"))
    problem = misfit(f"params/{action}", params)
    if problem:
        raise _Refused(PipeCode.PIPE_SCHEMA_INVALID, f"params of {action}: {problem}")
    command = Command(seq=seq, action=action, params=params, expected_domain=domain)
    return command, signed_text(seq, action, stable, domain), signature


def _envelope(message: dict[str, Any], seq: int) -> str:
    """The action of a message whose fields are right, `security` and what stands in `params` aside."""
    action = message.get("action")
    problem = ""
    if message.get("type") != "command":
        problem = 'type must be "command"'
    elif not seq:
        problem = "seq must be an integer from 1 to 2^53-1"
    elif not message.keys() <= _FIELDS:
        problem = f"there is a field that no command has: {min(message.keys() - _FIELDS)[:_MAX_NAME_CHARS]}"
    elif not isinstance(action, str) or action not in actions():
        problem = f"action must be one of {', '.join(sorted(actions()))}"
    elif not isinstance(message.get("params"), dict):
        problem = "params must be an object"
    if problem or not isinstance(action, str):
        raise _Refused(PipeCode.PIPE_SCHEMA_INVALID, problem)
    return action


def _security(security: Any) -> tuple[str, str]:
    problem = misfit("command/security", security)
    if problem:
        raise _Refused(PipeCode.PIPE_HMAC_INVALID, f"security: {problem}")
    return security["expected_domain"], security["hmac"]
