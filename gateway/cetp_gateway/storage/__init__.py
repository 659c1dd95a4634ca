"""What lasts: one SQLite file in the data folder."""

from cetp_gateway.storage.database import Database
from cetp_gateway.storage.migrations import MIGRATIONS

__all__ = ["MIGRATIONS", "Database"]
