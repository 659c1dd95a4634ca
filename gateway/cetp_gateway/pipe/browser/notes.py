"""What a page did besides what it was told to: dialogs, downloads and windows, for the answer of the command."""

from typing import Any

MOST = 20
"""Notes of a kind in one answer; a page could open a dialog for ever."""
LENGTH = 1000
"""Characters of a text in a note."""


class Notes:
    """Collects from one command's answer to the next one's."""

    def __init__(self) -> None:
        self._kinds: dict[str, list[dict[str, str]]] = {}
        self._announced = 0

    def dialog(self, kind: str, message: str) -> None:
        """A dialog was answered."""
        self._add("dialogs", kind=kind, message=message)

    def download(self, name: str, url: str) -> None:
        """A download was cancelled."""
        self._add("downloads", name=name, url=url)

    def popup_announced(self, url: str) -> None:
        """The page asked for a window; it comes later, if at all."""
        self._announced += 1
        self._add("popups", url=url)

    def popup_came(self, url: str) -> None:
        """A window was closed, one that had been announced or not."""
        if self._announced:
            self._announced -= 1
        else:
            self._add("popups", url=url)

    def take(self) -> dict[str, Any]:
        """All notes by kind; what comes after this belongs to the next command."""
        kinds, self._kinds = self._kinds, {}
        return kinds

    def _add(self, notes_of: str, **texts: str) -> None:
        notes = self._kinds.setdefault(notes_of, [])
        if len(notes) < MOST:
            notes.append({name: well_formed(text)[:LENGTH] for name, text in texts.items()})


def well_formed(text: str) -> str:
    """Halves of characters, which JSON in UTF-8 cannot hold, as replacement marks."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
