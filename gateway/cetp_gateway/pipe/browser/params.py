"""What all actions' params share (pipe 8)."""

from typing import Annotated

import msgspec
from msgspec import Meta

Selector = Annotated[str, Meta(min_length=1, max_length=1024)]
Selectors = Annotated[tuple[Selector, ...], Meta(max_length=8)]


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of every action."""

    timeout_ms: Annotated[int, Meta(ge=100, le=30_000)] = 10_000


class Located(Params, frozen=True, kw_only=True):
    """Of actions on an element."""

    selector: Selector
    frame: Selectors = ()
    """Selectors of iframes, the outermost first."""
