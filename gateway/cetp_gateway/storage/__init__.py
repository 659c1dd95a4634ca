"""What lasts: one SQLite file in the data folder."""

from cetp_gateway.storage.database import FILE_NAME, Database
from cetp_gateway.storage.migrations import MIGRATIONS

__all__ = ["FILE_NAME", "MIGRATIONS", "Database"]
