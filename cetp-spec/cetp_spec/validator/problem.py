"""What the validator says: one problem, at one place, by one rule."""

from enum import StrEnum

import msgspec

from cetp_spec.validator.text import printable


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"
    """Consumers cannot use it, or it breaks something else."""
    WARNING = "warning"
    """It works, but not everywhere or not as its author may think."""


class Place(msgspec.Struct, frozen=True):
    """Where in the input: a line for XML, a pointer (RFC 6901) for JSON, neither for the file as a whole."""

    file: str
    line: int = 0
    """From 1; 0 when there is none."""
    pointer: str | None = None
    """Empty for the whole JSON document."""

    def __str__(self) -> str:
        if self.pointer is not None:
            return printable(f"{self.file}#{self.pointer}")
        return printable(f"{self.file}:{self.line}" if self.line else self.file)

    def below(self, *keys: str | int) -> "Place":
        """The place of a member or item of this JSON value."""
        steps = "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)
        return Place(self.file, self.line, (self.pointer or "") + steps)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to mend. Texts are printable and on one line."""

    place: Place
    rule: str
    """Id in `RULES`, such as `manifest.authority.missing`."""
    severity: Severity
    message: str
    """What is wrong here."""
    section: str
    """Section of cetp-spec/README.md."""
    advice: str
    """How to mend it."""

    def __str__(self) -> str:
        return f"{self.place}: {self.severity} {self.rule}: {self.message} [spec {self.section}] {self.advice}"
