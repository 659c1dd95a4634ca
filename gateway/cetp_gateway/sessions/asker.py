"""Who asks a question, as the policy and the audit trail shall know it."""

import msgspec


class Asker(msgspec.Struct, frozen=True):
    """An entrance and a client."""

    caller: str = "agent"
    """The entrance; `agent` for a chat. See `CallContext.caller`."""
    client: str = ""
    """Id of the paired device, or `local`; empty when nobody had to say."""
    vouched: bool = True
    """Whether the words asked with are a person's own; those of a webhook may be a stranger's, those of a schedule a
    model's. Only a person's own words count as what somebody has said."""


CHAT = Asker()
"""A chat of somebody who did not have to say who they are."""
