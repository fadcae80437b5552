-- What a server needs: a turn found by its id, what happened, answers to requests, keys.

CREATE INDEX open_turns_by_id ON open_turns (workspace, id);

-- The number of a workspace's last event; it goes on when events are dropped.
ALTER TABLE workspaces ADD COLUMN events INTEGER NOT NULL DEFAULT 0;

CREATE TABLE events (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (workspace, number)
) STRICT, WITHOUT ROWID;

-- How requests were answered that may come again; without a status one is worked on.
CREATE TABLE answers (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER,
    body BLOB NOT NULL,
    PRIMARY KEY (workspace, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answers_by_time ON answers (workspace, at);

-- Keys belong to the whole store: they are read before a workspace is known. Without a workspace
-- a key opens every one. Of a token only its SHA-256 is kept.
CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    workspace TEXT,
    role TEXT NOT NULL,
    agent TEXT,
    digest BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX keys_by_name ON keys (name) WHERE revoked_at IS NULL;
