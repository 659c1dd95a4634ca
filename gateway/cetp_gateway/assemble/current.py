"""What a reload of the settings puts in the place of what was there: read at use, so that nothing has to be told.

Above: everything that reads settings while it works. Below: nothing of ours but the types.
"""

import msgspec

from cetp_gateway.agent import HookPipeline
from cetp_gateway.settings import Settings


class Current(msgspec.Struct, kw_only=True):
    """Both change together, between two steps of the event loop. A turn keeps those that it began with."""

    settings: Settings
    hooks: HookPipeline
    """The security policy first, then those of `agent.hooks`."""
