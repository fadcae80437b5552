-- What a server needs: a turn found by its id, what happened, answers to requests, keys.

CREATE INDEX open_turns_by_id ON tacit.open_turns (workspace, id);

-- The number of a workspace's last event; it goes on when events are dropped.
ALTER TABLE tacit.workspaces ADD COLUMN events bigint NOT NULL DEFAULT 0;

CREATE TABLE tacit.events (
    workspace bigint NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    data json NOT NULL,
    PRIMARY KEY (workspace, number)
) {partitioned};

-- How requests were answered that may come again; without a status one is worked on.
CREATE TABLE tacit.answers (
    workspace bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    at bigint NOT NULL,
    status integer,
    body bytea NOT NULL,
    PRIMARY KEY (workspace, key)
) {partitioned};

CREATE INDEX answers_by_time ON tacit.answers (workspace, at);

-- Keys belong to the whole store: they are read before a workspace is known, so this table is
-- neither partitioned nor behind the wall between tenants. The workspace is its name; without one
-- a key opens every workspace. Of a token only its SHA-256 is kept.
CREATE TABLE tacit.keys (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    workspace text COLLATE "C",
    role text NOT NULL,
    agent text,
    digest bytea NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint
);

CREATE UNIQUE INDEX keys_by_name ON tacit.keys (name) WHERE revoked_at IS NULL;
