"""The order of calls: all calls of a model's step begin at once, and there is one page.

Each call takes its place when its hooks are asked, with the domain for which it was asked; it runs when those before it
have ended. Above: `hook`, `tools`. Knows nothing of browsers.
"""

import asyncio


class Place:
    """Where a call stands. `before`: calls that had begun and not ended when it came."""

    def __init__(self, session_id: str, before: tuple["Place", ...]) -> None:
        self.domain = ""
        """For which it was asked; signed whatever the page has become meanwhile."""
        self.ended = asyncio.Event()
        self.failed = False
        self._session_id = session_id
        self._before = before

    async def turn(self) -> None:
        """Wait until the calls before this one have ended; the caller bounds it."""
        for place in self._before:
            await place.ended.wait()

    @property
    def follows_failure(self) -> bool:
        """A call of the same step that was asked before this one was not done."""
        return any(place.failed and place._session_id == self._session_id for place in self._before)  # noqa: SLF001


class Order:
    """All calls that have begun and not ended."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}

    def enter(self, call_id: str, session_id: str) -> Place:
        """A call begins."""
        place = self._places[call_id] = Place(session_id, tuple(self._places.values()))
        return place

    def find(self, call_id: str) -> Place | None:
        return self._places.get(call_id)

    def leave(self, call_id: str, *, failed: bool) -> None:
        """A call has ended, whatever became of it; unknown ones are none of the browser's."""
        place = self._places.pop(call_id, None)
        if place is not None:
            place.failed = failed
            place.ended.set()
