"""Finds text in lines: words as they are, or a regular expression that cannot take long.

A model writes the expression, so it counts as hostile. Python's `re` may need time without end for it, and holds the
interpreter meanwhile; what is used is the engine of the schema validator, which is linear in the length of the line.
Above: `search_files`. Below: jsonschema-rs.
"""

from collections.abc import Callable

from cetp_gateway.builtin.builtin_tool import NotPossible

MAX_CHARS = 500
_COMPILED_BYTES = 1024 * 1024
"""Most memory of a compiled expression."""


def text_pattern(text: str, *, expression: bool, ignore_case: bool) -> Callable[[str], bool]:
    """Whether a line has the text. Raises NotPossible for an expression that cannot be used."""
    if expression:
        return _expression(f"(?i){text}" if ignore_case else text)
    if ignore_case:
        folded = text.casefold()
        return lambda line: folded in line.casefold()
    return lambda line: text in line


def _expression(text: str) -> Callable[[str], bool]:
    # The validator takes longer to load than anything else that is loaded for a tool.
    from jsonschema_rs import RegexOptions, ValidationError, validator_for  # noqa: PLC0415

    options = RegexOptions(size_limit=_COMPILED_BYTES, dfa_size_limit=_COMPILED_BYTES)
    try:
        is_valid: Callable[[str], bool] = validator_for({"pattern": text}, pattern_options=options).is_valid
    except (ValidationError, ValueError) as error:
        raise NotPossible(
            "text: this is no regular expression, or it has what would make it slow (look-around, back-references).",
            hint="Search for words with expression false, or for a simpler expression.",
        ) from error
    return is_valid
