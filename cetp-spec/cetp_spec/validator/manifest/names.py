"""The protocol's fixed names that a manifest holds, from contract.json (spec 3)."""

from functools import cache

import msgspec

from cetp_spec.data import contract


class Names(msgspec.Struct, frozen=True):
    """Exact names; any other spelling is not found by consumers."""

    action: str
    authority: str
    version: str
    permission: str
    permission_level: str
    init_order: int
    known_version: int


@cache
def names() -> Names:
    """The names of CETP v1."""
    discovery = contract()["discovery"]
    return Names(
        action=discovery["intent_action"],
        authority=discovery["meta_data"]["authority"],
        version=discovery["meta_data"]["version"],
        permission=discovery["permission"],
        permission_level=discovery["permission_protection_level"],
        init_order=discovery["init_order"],
        known_version=contract()["version"],
    )
