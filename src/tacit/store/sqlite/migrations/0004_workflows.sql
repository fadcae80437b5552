-- What workflows need: what they note about sessions, and when a session's history began anew.

CREATE TABLE variables (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, session, name)
) STRICT, WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN cleared_at INTEGER;
