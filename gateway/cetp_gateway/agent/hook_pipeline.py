"""All hooks of the gateway in their order, the guard first. Nothing that is configured can take its place.

Above: `assemble`, which makes it; `hook_runner`, which runs it. Below: api.
"""

from collections.abc import Iterator, Sequence
from typing import overload

from cetp_gateway.api import Guard, Hook


class HookPipeline(Sequence[Hook]):
    """A sequence of hooks whose first is the guard, which is also asked last (`Guard.permit`)."""

    __slots__ = ("_hooks", "guard", "others")

    def __init__(self, guard: Guard, hooks: Sequence[Hook] = ()) -> None:
        self.guard = guard
        self.others = tuple(hooks)
        self._hooks: tuple[Hook, ...] = (guard, *hooks)

    def __len__(self) -> int:
        return len(self._hooks)

    def __iter__(self) -> Iterator[Hook]:
        return iter(self._hooks)

    @overload
    def __getitem__(self, index: int) -> Hook: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Hook]: ...

    def __getitem__(self, index: int | slice) -> Hook | Sequence[Hook]:
        return self._hooks[index]
