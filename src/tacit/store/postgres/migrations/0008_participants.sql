-- Who takes part in sessions and contexts: an agent and a user, each empty where it is not known.

CREATE TABLE tacit.participants (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    user_name text COLLATE "C" NOT NULL,
    took_turn boolean NOT NULL,
    PRIMARY KEY (workspace, session, agent, user_name)
) {partitioned};

-- Of workspaces that are there already they are read from the receipts when the database is opened.
ALTER TABLE tacit.workspaces ADD COLUMN has_participants boolean NOT NULL DEFAULT true;
UPDATE tacit.workspaces SET has_participants = false;
