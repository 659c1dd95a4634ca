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
    # 2: memory. The index over its words is made by the memory itself, since it can be made anew.
    """
    CREATE TABLE memories (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        content TEXT NOT NULL,
        category TEXT NOT NULL,
        session_id TEXT NOT NULL,
        importance REAL NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        author TEXT NOT NULL,
        tool TEXT NOT NULL,
        person TEXT NOT NULL,
        superseded_by TEXT NOT NULL DEFAULT '',
        fingerprint BLOB NOT NULL,
        UNIQUE (namespace, key)
    ) STRICT;
    CREATE INDEX memories_by_fingerprint ON memories (fingerprint, namespace);
    CREATE INDEX memories_by_age ON memories (category, updated_at);
    CREATE INDEX memories_superseded ON memories (namespace, superseded_by) WHERE superseded_by <> '';
    CREATE TABLE memory_vectors (
        id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
        model TEXT NOT NULL,
        vector BLOB NOT NULL
    ) STRICT;
    CREATE TABLE memory_bits (
        id INTEGER PRIMARY KEY REFERENCES memory_vectors (id) ON DELETE CASCADE,
        namespace TEXT NOT NULL,
        bits BLOB NOT NULL
    ) STRICT;
    CREATE TABLE memory_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """,
    # 3: the audit trail, which only grows at its end and shrinks at its beginning; standing approvals;
    # sessions' autonomy.
    """
    CREATE TABLE audit (
        through INTEGER PRIMARY KEY,
        entries INTEGER NOT NULL CHECK (entries > 0),
        at REAL NOT NULL,
        lines TEXT NOT NULL,
        seal BLOB NOT NULL
    ) STRICT;
    CREATE TABLE audit_pruned (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        through INTEGER NOT NULL
    ) STRICT;
    INSERT INTO audit_pruned (id, through) VALUES (1, 0);
    CREATE TRIGGER audit_keeps BEFORE UPDATE ON audit
    BEGIN
        SELECT RAISE(ABORT, 'the audit trail is append-only');
    END;
    CREATE TRIGGER audit_keeps_all BEFORE DELETE ON audit
    WHEN OLD.through > (SELECT through FROM audit_pruned)
    BEGIN
        SELECT RAISE(ABORT, 'the audit trail is append-only');
    END;
    CREATE TABLE approval_grants (
        id TEXT PRIMARY KEY,
        tool TEXT NOT NULL,
        definition TEXT NOT NULL,
        granted_at TEXT NOT NULL,
        granted_by TEXT NOT NULL
    ) STRICT;
    CREATE TABLE session_autonomy (
        session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        autonomy TEXT NOT NULL
    ) STRICT;
    """,
    # 4: what models have used, a row for each request.
    """
    CREATE TABLE model_usage (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        session_id TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cached_input_tokens INTEGER NOT NULL,
        cache_write_tokens INTEGER NOT NULL,
        cost_usd REAL,
        estimated INTEGER NOT NULL,
        tools TEXT NOT NULL
    ) STRICT;
    CREATE INDEX model_usage_by_day ON model_usage (day);
    CREATE INDEX model_usage_by_session ON model_usage (session_id);
    """,
    # 5: to-do lists of sessions.
    """
    CREATE TABLE session_todos (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        state TEXT NOT NULL,
        PRIMARY KEY (session_id, number)
    ) STRICT, WITHOUT ROWID;
    """,
    # 6: schedules and their runs; whose words a turn's question is in.
    # `skipped` stands beside a run's body because it grows while the run goes on.
    """
    ALTER TABLE turns ADD COLUMN vouched INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE schedules (
        id TEXT PRIMARY KEY,
        next_due REAL,
        body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX schedules_by_due ON schedules (next_due) WHERE next_due IS NOT NULL;
    CREATE TABLE schedule_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
        status TEXT NOT NULL,
        delivery TEXT NOT NULL,
        skipped INTEGER NOT NULL DEFAULT 0,
        body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX schedule_runs_by_schedule ON schedule_runs (schedule_id, id);
    """,
    # 7: tools of personas and of single sessions.
    """
    ALTER TABLE personas ADD COLUMN allowed TEXT NOT NULL DEFAULT '["*"]';
    ALTER TABLE personas ADD COLUMN denied TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE session_tools (
        session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        rules TEXT NOT NULL
    ) STRICT;
    """,
)
