"""The schema of the database: one script per version. Released scripts never change, new needs get new ones."""

MIGRATIONS = (
    # 1: sessions and their turns; paired devices; personas.
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        persona TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        last_activity TEXT NOT NULL
    ) STRICT;
    CREATE TABLE turns (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        user_text TEXT NOT NULL,
        sent_at TEXT NOT NULL,
        status TEXT NOT NULL,
        text TEXT NOT NULL DEFAULT '',
        steps TEXT NOT NULL DEFAULT '[]',
        PRIMARY KEY (session_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE devices (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        token_hash BLOB NOT NULL UNIQUE,
        paired_at TEXT NOT NULL,
        last_seen TEXT
    ) STRICT;
    CREATE TABLE personas (
        name TEXT PRIMARY KEY,
        prompt TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        updated_at TEXT NOT NULL
    ) STRICT;
    """,
)
