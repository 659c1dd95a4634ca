"""Settings of the agent's side of the browser pipe: `[pipe]`."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.settings.values import Section


class PipeSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the browser's tools may go. A host may have a list of its own besides."""

    allowed_hosts: tuple[str, ...] = ("*",)
    """Globs of hosts such as *.example.org, international names as xn--…; with `:PORT` for that port alone."""
    denied_hosts: tuple[str, ...] = ()
    """Globs of hosts where nothing is opened, read or done; wins over the other two."""
    allow_private_hosts: tuple[str, ...] = ()
    """Globs of hosts within the owner's network or on this machine, such as nas.local or 127.0.0.1. What a public name
    leads to is known to the browser alone."""
    element_timeout_ms: Annotated[int, Meta(ge=100, le=30_000)] = 5_000
    """Wait for an element when the model sets no time; an element that is not found is looked for three times."""
    text_chars: Annotated[int, Meta(ge=100, le=200_000)] = 20_000
    """Longest text of a page that is read at once."""
