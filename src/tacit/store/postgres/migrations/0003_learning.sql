-- What learning needs: what was heard in turns, and how far long work has come.

-- The rules have not read what is fresh; what they have read waits for the model, which should
-- read now what is due.
CREATE TABLE tacit.heard (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    stage text NOT NULL,
    due boolean NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (workspace, id)
) {partitioned};

CREATE INDEX heard_by_stage ON tacit.heard (workspace, stage, id);
CREATE INDEX heard_by_session ON tacit.heard (workspace, session, id);

CREATE TABLE tacit.progress (
    workspace bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    value json NOT NULL,
    PRIMARY KEY (workspace, name)
) {partitioned};
