-- What workflows need: what they note about sessions, and when a session's history began anew.

CREATE TABLE tacit.variables (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value json NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (workspace, session, name)
) {partitioned};

ALTER TABLE tacit.sessions ADD COLUMN cleared_at bigint;
