"""The base of the built-in tools: arguments in, an outcome out, refusals as exceptions in between.

Above: every tool. Below: `declared`, api.
"""

import re
from abc import ABC, abstractmethod
from typing import Final, Generic

import msgspec

from cetp_gateway.api import (
    Answered,
    ArgumentProblem,
    Arguments,
    CallContext,
    InvalidArguments,
    Origin,
    Outcome,
    Refused,
    ToolSpec,
)
from cetp_gateway.builtin.declared import A, Declared
from cetp_gateway.errors import CetpError
from cetp_spec import ErrorCode

_WHERE: Final = re.compile(r" - at `\$(.*)`$")


class NotPossible(Exception):
    """A tool says no: `code` is one of CETP's (spec 6), the text names the reason and `hint` the next step.
    `origin` says whose words the text quotes.
    """

    def __init__(
        self, message: str, *, code: str = ErrorCode.INVALID_ARGS, hint: str = "", origin: Origin | None = None
    ) -> None:
        super().__init__(message)
        self.refusal = Refused(code, message, hint, origin=origin)


class BuiltinTool(ABC, Generic[A]):
    """Implements api.Tool for a class with `declared` and `run`."""

    declared: Declared[A]

    @property
    def spec(self) -> ToolSpec:
        return self.declared.spec

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        try:
            asked = self.declared.read(arguments)
            answer = await self.run(asked, context)
            return answer if isinstance(answer, Answered) else Answered(answer)
        except msgspec.ValidationError as error:
            return InvalidArguments((_problem(str(error)),))
        except NotPossible as no:
            return no.refusal
        except CetpError as error:
            # Ours, so its words are for readers.
            return Refused(error.code, error.message)

    @abstractmethod
    async def run(self, asked: A, context: CallContext) -> str | Answered:
        """The tool's answer; with its origin when that depends on what is asked. Raises NotPossible."""


def json_text(value: object) -> str:
    """A result as compact JSON."""
    return msgspec.json.encode(value).decode()


def _problem(said: str) -> ArgumentProblem:
    where = _WHERE.search(said)
    path = where[1] if where else ""
    pointer = re.sub(r"\[(\d+|\.\.\.)\]", r"/\1", path).replace(".", "/")
    return ArgumentProblem(pointer, said[: where.start()] if where else said)
