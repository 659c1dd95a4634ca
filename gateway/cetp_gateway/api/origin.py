"""Where text of others comes from."""

import msgspec


class Origin(msgspec.Struct, frozen=True):
    """Where a tool's answers come from; shown to the model so that it treats them as data."""

    device: str
    app: str = ""
    """Package name of the provider app; empty when the device did not say."""
    server: str = ""
    """Name of the MCP server; empty for a device."""
