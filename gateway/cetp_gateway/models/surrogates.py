"""Text that may be cut inside a character: some servers split an emoji's two halves over two pieces."""

HIGH = ("\ud800", "\udbff")


class WholeText:
    """Feed it pieces, take out text that can be encoded."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, piece: str) -> str:
        """The text so far complete; a first half waits for its second one."""
        text, self._half = self._half + piece, ""
        if text and HIGH[0] <= text[-1] <= HIGH[1]:
            text, self._half = text[:-1], text[-1]
        return whole(text)


def whole(text: str) -> str:
    """Halves joined; a half without its other becomes the replacement character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
