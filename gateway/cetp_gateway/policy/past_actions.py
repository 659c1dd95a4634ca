"""The actions of the last hour as the audit trail has them, for the action limit of a gateway that starts anew.

Above: `parts`. Below: `audit_store`.
"""

import sqlite3

from cetp_gateway.policy.action_limit import line_of
from cetp_gateway.policy.audit_entry import AuditEntry
from cetp_gateway.policy.audit_reader import numbered_entries
from cetp_gateway.policy.audit_store import backwards


def past_actions(connection: sqlite3.Connection, *, since: float) -> list[tuple[str, float]]:
    """Line and time (seconds since the epoch) of each, in the order of time."""
    counted: set[str] = set()
    found: list[tuple[str, float]] = []
    for stretch in backwards(connection):
        entries = [numbered.entry for numbered in numbered_entries(stretch)]
        for entry in reversed(entries):
            if entry.at.timestamp() >= since and _is_action(entry) and entry.call_id not in counted:
                counted.add(entry.call_id)
                found.append((line_of(entry.session, entry.client, entry.caller), entry.at.timestamp()))
        if entries and entries[0].at.timestamp() < since:
            break
    return found[::-1]


def _is_action(entry: AuditEntry) -> bool:
    """What has begun, and in sessions also what is written down only when it has ended."""
    return entry.kind == "started" or (entry.kind == "call" and entry.session != "" and entry.outcome != "denied")
