"""The one exception inside the validator: an input cannot be read any further."""


class Unreadable(Exception):
    """Carries what becomes the input's problem: the rule, a sentence, and the line where reading ended."""

    def __init__(self, rule: str, message: str, *, line: int = 0) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.line = line
