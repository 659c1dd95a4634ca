"""What each error code means for those who get it (pipe 7), as `pipe/errors.json` has it."""

from functools import cache

import msgspec

from cetp_spec import data


class ErrorRule(msgspec.Struct, frozen=True, kw_only=True):
    """How a code is treated."""

    family: str
    """PIPE, MAC, CMD or INTERNAL."""
    waits_ms: tuple[int, ...]
    """The pause before each retry; as many retries as pauses (pipe 7.3)."""
    counts: bool
    """It is a failure for the circuit of its action (pipe 7.4)."""
    by: tuple[str, ...] = ()
    """Who may say it: host, agent."""
    signed: bool = True
    """It answers only commands whose signature was right."""
    ends: str = ""
    """Whose session ends with it: agent, both, or nobody's."""
    about: str = ""


class _Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    waits_ms: tuple[int, ...]
    counts: bool
    about: str


class _Code(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    by: tuple[str, ...]
    signed: bool
    about: str
    waits_ms: tuple[int, ...] | None = None
    counts: bool | None = None
    ends: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    families: dict[str, _Family]
    codes: dict[str, _Code]


@cache
def rules() -> dict[str, ErrorRule]:
    """All codes of the table with their rules. Read only: all callers share it."""
    return {code: _rule(code, entry) for code, entry in _table().codes.items()}


def rule(code: str) -> ErrorRule:
    """The rule of a code; one that is not in the table is treated like its family, and without one like PIPE."""
    known = rules().get(code)
    if known is not None:
        return known
    family = code.partition("_")[0]
    of_family = _table().families.get(family, _table().families["PIPE"])
    return ErrorRule(family=family, waits_ms=of_family.waits_ms, counts=of_family.counts)


def _rule(code: str, entry: _Code) -> ErrorRule:
    family = code.partition("_")[0]
    of_family = _table().families[family]
    return ErrorRule(
        family=family,
        waits_ms=of_family.waits_ms if entry.waits_ms is None else entry.waits_ms,
        counts=of_family.counts if entry.counts is None else entry.counts,
        by=entry.by,
        signed=entry.signed,
        ends=entry.ends,
        about=entry.about,
    )


@cache
def _table() -> _Table:
    return msgspec.json.decode((data.root() / "pipe" / "errors.json").read_bytes(), type=_Table)
