"""The owner's list of commands: which programs may be run, and with which arguments. Nothing else ever is.

A rule is a line such as `ls`, `git log *` or `/opt/tools/report --day ????-??-??`: a program and, when more words
follow, globs for its arguments, one for each; a last `*` stands for any further ones. A program alone may have any
arguments. Programs are looked up once, so that no folder that appears later can put another in their place. Above:
`security_policy`, `parts`; the command tool is handed it by `assemble`. Below: api.
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

import msgspec

from cetp_gateway.api import COMMAND_TOOL, ToolCall
from cetp_gateway.errors import SettingsError

SEARCHED: Final = os.pathsep.join(("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"))
"""Where programs are looked for that the gateway's own PATH does not have."""


class _Rule(msgspec.Struct, frozen=True):
    program: str
    """Absolute path; empty when there is no such program here."""
    globs: tuple[str, ...]

    def fits(self, program: str, arguments: Sequence[str]) -> bool:
        if program != self.program:
            return False
        if not self.globs:
            return True
        globs = self.globs
        if globs[-1] == "*":
            globs, arguments = globs[:-1], arguments[: len(globs) - 1]
        return len(globs) == len(arguments) and all(map(fnmatchcase, arguments, globs))


class CommandRules:
    """`policy.allowed_commands`, read and looked up.

    Args:
        rules: as the owner wrote them.
        path: folders to look in, as in PATH; the gateway's own and the system's usual ones when nothing is said.

    Raises:
        SettingsError: a rule cannot be read.
    """

    def __init__(self, rules: Sequence[str], path: str | None = None) -> None:
        folders = (path if path is not None else f"{os.environ.get('PATH', '')}:{SEARCHED}").split(os.pathsep)
        # A relative folder would be looked for where the gateway happens to run.
        self._path = os.pathsep.join(folder for folder in folders if folder.startswith("/"))
        self._programs: dict[str, str] = {}
        self.allowed = tuple(rules)
        self._rules = tuple(self._read(rule) for rule in rules)

    def program(self, command: Sequence[str]) -> str | None:
        """The absolute path of an allowed command's program; None when the command is not allowed."""
        if not command:
            return None
        program = self._programs.get(command[0], command[0])
        return program if any(rule.fits(program, command[1:]) for rule in self._rules) else None

    def objection(self, call: ToolCall) -> str:
        """Why a call of the command tool may not run, whoever allows it; empty for all others."""
        if call.tool.name != COMMAND_TOOL or call.tool.origin is not None:
            return ""
        command: Any = call.arguments.get("command")
        if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
            return "A command is a list: the program, then each of its arguments."
        if self.program(command) is not None:
            return ""
        allowed = "; ".join(self.allowed) or "none"
        return f"This command is not on the list of those that may be run (policy.allowed_commands): {allowed}."

    def missing(self) -> tuple[str, ...]:
        """Rules whose program is not on this machine."""
        return tuple(said for said, rule in zip(self.allowed, self._rules, strict=True) if not rule.program)

    def _read(self, rule: str) -> _Rule:
        try:
            name, *globs = shlex.split(rule)
        except ValueError:
            raise SettingsError(
                f"policy.allowed_commands: {rule!r} should be a program, then globs of words."
            ) from None
        if "/" in name and not name.startswith("/"):
            raise SettingsError(f"policy.allowed_commands: {name!r} must be a name or an absolute path.")
        program = shutil.which(name, path=self._path) or ""
        if program:
            program = os.path.abspath(program)  # noqa: PTH100  (a link keeps its name: some programs are many)
            self._programs[name] = program
            self._programs.setdefault(os.path.basename(name), program)  # noqa: PTH119
        return _Rule(program, tuple(globs))
