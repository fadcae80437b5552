-- The folders that projects are at. Without a project a folder's claim waits for a person.

CREATE TABLE places (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    claim TEXT NOT NULL,
    project TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, host, path, claim)
) STRICT, WITHOUT ROWID;

CREATE INDEX places_by_project ON places (workspace, project);
