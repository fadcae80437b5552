-- What learning needs: what was heard in turns, and how far long work has come.

-- The rules have not read what is fresh; what they have read waits for the model, which should
-- read now what is due.
CREATE TABLE heard (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    stage TEXT NOT NULL,
    due INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX heard_by_stage ON heard (workspace, stage, id);
CREATE INDEX heard_by_session ON heard (workspace, session, id);

CREATE TABLE progress (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (workspace, name)
) STRICT, WITHOUT ROWID;
