-- Who takes part in sessions and contexts: an agent and a user, each empty where it is not known.

CREATE TABLE participants (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    user_name TEXT NOT NULL,
    took_turn INTEGER NOT NULL,
    PRIMARY KEY (workspace, session, agent, user_name)
) STRICT, WITHOUT ROWID;

-- Of workspaces that are there already they are read from the receipts when the database is opened.
ALTER TABLE workspaces ADD COLUMN has_participants INTEGER NOT NULL DEFAULT 1;
UPDATE workspaces SET has_participants = 0;
