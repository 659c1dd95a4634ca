"""One host and the toolset that it offers now."""

from collections.abc import Iterator

from cetp_gateway.api import ToolHost
from cetp_gateway.tools.names import HOST_DIGITS, host_digits, slug
from cetp_gateway.tools.toolset import Toolset


class HostEntry:
    """Does not change: another toolset makes another entry."""

    __slots__ = ("host", "host_id", "label", "qualifier", "read_only", "server", "shared", "slug", "toolset")

    def __init__(self, host: ToolHost, toolset: Toolset) -> None:
        self.host = host
        self.toolset = toolset
        self.host_id = host.host_id
        self.label = host.label
        self.shared = host.shared
        self.read_only = host.read_only
        self.server: str = getattr(host, "server", "")
        """Name of the MCP server that the host is; devices have none."""
        self.slug = slug(self.label)
        self.qualifier = f"{self.slug}_{host_digits(self.host_id)}"
        """What stands behind its tools' names when they have to be told apart, or a beginning of it."""

    def offers_the_same(self, other: "HostEntry") -> bool:
        """Whether replacing one by the other would change nothing that anybody can see."""
        return (
            self.host is other.host
            and self.toolset is other.toolset
            and (self.label, self.shared, self.read_only) == (other.label, other.shared, other.read_only)
        )

    def suffixes(self) -> Iterator[str]:
        """The beginnings of the qualifier that may be used, shortest first."""
        start = len(self.slug)
        yield self.slug
        for digits in HOST_DIGITS:
            yield self.qualifier[: start + 1 + digits]
