"""Attribute values as Android's build tools understand them: text, number, boolean or a pointer to a resource.

A number written in a manifest is stored as a number, so an app that asks for text gets nothing; that is why the
form matters as much as the text.
"""

import re
from enum import StrEnum

import msgspec

INT32 = range(-(2**31), 2**31)
_INTEGER = re.compile(r"-?[0-9]{1,20}")
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,8}")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_MEASURE = re.compile(r"-?[0-9.]+(dp|dip|sp|px|pt|in|mm|%p?)")
_COLOUR = re.compile(r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t"}


class Form(StrEnum):
    """In which form a value reaches the installed app."""

    SOURCE = "source"
    """As written in a source manifest, not yet interpreted."""
    TEXT = "text"
    INTEGER = "integer"
    HEX = "hexadecimal number"
    FLOAT = "floating-point number"
    BOOLEAN = "boolean"
    OTHER = "colour, measure or theme attribute"
    REFERENCE = "reference"
    """A pointer to a resource: `@string/name` in source, `@7f010002` in an APK."""


class Value(msgspec.Struct, frozen=True):
    """A value and its form; `text` of a number is how Android prints it where that is known."""

    form: Form
    text: str

    @property
    def boolean(self) -> bool | None:
        """True or false, or None for a value that is neither."""
        if self.form is Form.BOOLEAN:
            return self.text == "true"
        return None


def literal(written: str) -> Value:
    """What the build tool makes of a value written in a source manifest."""
    text = written.strip()
    if text in ("@null", "@empty"):
        return Value(Form.TEXT, "")
    for form, pattern in _FORMS:
        if pattern.fullmatch(text):
            return Value(_narrowed(form, text), text.lower() if form is Form.BOOLEAN else text)
    return Value(Form.TEXT, unescaped(text))


def unescaped(text: str) -> str:
    r"""Text with Android's backslash escapes resolved: `\u0031`, `\@`, `\n`, `\ `."""
    return _ESCAPE.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    code = match.group(1)
    return chr(int(code[1:], 16)) if len(code) == 5 else _PLAIN_ESCAPES.get(code, code)


def _narrowed(form: Form, text: str) -> Form:
    # A whole number beyond 32 bits is stored as a float, and its digits are lost.
    return Form.FLOAT if form is Form.INTEGER and int(text) not in INT32 else form


_FORMS = (
    (Form.REFERENCE, re.compile(r"@[^@].*", re.DOTALL)),
    (Form.OTHER, re.compile(r"\?.+", re.DOTALL)),
    (Form.BOOLEAN, re.compile(r"true|TRUE|True|false|FALSE|False")),
    (Form.INTEGER, _INTEGER),
    (Form.HEX, _HEX),
    (Form.FLOAT, _FLOAT),
    (Form.OTHER, _MEASURE),
    (Form.OTHER, _COLOUR),
)
