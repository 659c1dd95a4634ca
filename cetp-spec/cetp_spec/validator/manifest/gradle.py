"""What can be read plainly from a module's build.gradle or build.gradle.kts: literals, never expressions."""

import re
from pathlib import Path

import msgspec

MAX_BYTES = 256 * 1024
NAMES = ("build.gradle.kts", "build.gradle")
_LINE_COMMENT = re.compile(r"(?<![:\"'])//[^\n]*")
_BLANKS = re.compile(r"\s+")
_TEXT = r"""["']([^"'$\\\n]{1,500})["']"""
_ASSIGN = r" ?[=( ] ?"
_PLACEHOLDER = re.compile(r"""manifestPlaceholders ?\[ ?["']([\w.]+)["'] ?\] ?= ?""" + _TEXT)
_PLACEHOLDER_MAP = re.compile(r"manifestPlaceholders ?\+?= ?\w* ?[\[(](.{0,2000}?)[\])]")
_MAP_ENTRY = re.compile(r"""["']?\b([\w.]+)["']? ?(?::|to\b) ?""" + _TEXT)
_RES_VALUE = re.compile(r"resValue ?\(? ?" + r" ?, ?".join((_TEXT, _TEXT, _TEXT)))


class BuildFile(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of one module; empty or None where the file does not say them plainly."""

    application_id: str = ""
    min_sdk: int | None = None
    target_sdk: int | None = None
    placeholders: dict[str, str] = {}
    """Values of `manifestPlaceholders`."""
    generated: dict[tuple[str, str], str] = {}
    """`resValue` entries by kind and name."""
    mentions: str = ""
    """The text without comments, to see whether a name is at least spoken of."""
    several_builds: bool = False
    """Build types or flavours change the application id."""


def read_build_file(module: Path) -> BuildFile | None:
    """The facts of the build file in this folder, or None when there is none or it cannot be read."""
    for name in NAMES:
        path = module / name
        if path.is_file() and path.stat().st_size <= MAX_BYTES:
            return read_build_text(path.read_text(encoding="utf-8", errors="replace"))
    return None


def read_build_text(text: str) -> BuildFile:
    """The facts of a build file's text."""
    # With single blanks only, no pattern below can be led into long searches.
    plain = _BLANKS.sub(" ", _LINE_COMMENT.sub("", _without_block_comments(text)))
    library = re.search(r"com\.android\.library|plugins\.android\.library", plain) is not None
    own = _single(plain, "applicationId")
    return BuildFile(
        # Without applicationId an application takes its namespace; a library has the id of the app it ends up in.
        application_id=own or ("" if library or "applicationId" in plain else _single(plain, "namespace")),
        min_sdk=_number(plain, "minSdk(?:Version)?"),
        target_sdk=_number(plain, "targetSdk(?:Version)?"),
        placeholders=_placeholders(plain),
        generated={(kind, name): value for kind, name, value in _RES_VALUE.findall(plain)},
        mentions=plain,
        several_builds="applicationIdSuffix" in plain or len(_texts(plain, "applicationId")) > 1,
    )


def _texts(plain: str, key: str) -> set[str]:
    return set(re.findall(rf"\b{key}\b{_ASSIGN}{_TEXT}", plain))


def _single(plain: str, key: str) -> str:
    found = _texts(plain, key)
    return found.pop() if len(found) == 1 else ""


def _number(plain: str, key: str) -> int | None:
    found = set(re.findall(rf"\b{key}\b{_ASSIGN}([0-9]{{1,4}})\b", plain))
    return int(found.pop()) if len(found) == 1 else None


def _placeholders(plain: str) -> dict[str, str]:
    found = dict(_PLACEHOLDER.findall(plain))
    for entries in _PLACEHOLDER_MAP.findall(plain):
        found.update(_MAP_ENTRY.findall(entries))
    return found


def _without_block_comments(text: str) -> str:
    kept: list[str] = []
    position = 0
    while (start := text.find("/*", position)) >= 0 and (end := text.find("*/", start + 2)) >= 0:
        kept.append(text[position:start])
        position = end + 2
    return "".join(kept) + text[position:]
