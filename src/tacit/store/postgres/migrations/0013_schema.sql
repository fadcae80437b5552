-- Memories, what surrounds them, and what is derived from their text.
-- Times are microseconds since 1970 in UTC. A workspace is known by the 64-bit code of its name,
-- so that every key can begin with it and nothing must be looked up to find its rows.
-- {partitioned} becomes PARTITION BY HASH (workspace), or nothing where there is one partition.

CREATE TABLE tacit.properties (
    name text PRIMARY KEY,
    value text NOT NULL
);

INSERT INTO tacit.properties VALUES ('identity', gen_random_uuid()::text);

CREATE TABLE tacit.workspaces (
    workspace bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    -- Counts the transactions that changed what is searched. Who writes locks this row first.
    revision bigint NOT NULL DEFAULT 0,
    -- The version of the analysis that made its terms and claims.
    analysis text NOT NULL,
    -- The number of its last event; it goes on when events are dropped.
    events bigint NOT NULL DEFAULT 0,
    -- Not read: it is true in every database of this version.
    has_participants boolean NOT NULL DEFAULT true
);

CREATE SEQUENCE tacit.memory_rows;

CREATE TABLE tacit.memories (
    workspace bigint NOT NULL,
    row bigint NOT NULL DEFAULT nextval('tacit.memory_rows'),
    id text COLLATE "C" NOT NULL,
    content text NOT NULL,
    content_hash bytea NOT NULL,
    type text NOT NULL,
    key text,
    importance double precision NOT NULL,
    confidence double precision NOT NULL,
    scope text NOT NULL,
    scope_id text NOT NULL,
    agent text,
    source text NOT NULL,
    origin json NOT NULL,
    session text,
    ordinal bigint,
    speaker text,
    trust text NOT NULL,
    explicit boolean NOT NULL,
    pinned boolean NOT NULL,
    tags text[] NOT NULL,
    metadata json NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    last_accessed_at bigint,
    access_count bigint NOT NULL,
    valid_from bigint,
    valid_to bigint,
    superseded_by text COLLATE "C",
    expires_at bigint,
    forgotten boolean NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (workspace, row),
    UNIQUE (workspace, id)
) {partitioned};

CREATE UNIQUE INDEX memories_by_content ON tacit.memories (workspace, content_hash)
WHERE superseded_by IS NULL;
CREATE INDEX memories_by_change ON tacit.memories (workspace, updated_at, id);
CREATE INDEX memories_by_key ON tacit.memories (workspace, key, scope, scope_id, updated_at, id)
WHERE key IS NOT NULL;
CREATE INDEX memories_by_owner ON tacit.memories (workspace, scope, scope_id, updated_at, id);
CREATE INDEX memories_by_type ON tacit.memories (workspace, type, updated_at, id);
CREATE INDEX memories_by_weight ON tacit.memories (workspace, type, importance, id);
CREATE INDEX memories_keyed ON tacit.memories (workspace, scope, scope_id, updated_at, id)
WHERE key IS NOT NULL;
CREATE INDEX memories_pinned ON tacit.memories (workspace, updated_at, id) WHERE pinned;
CREATE INDEX memories_by_revision ON tacit.memories (workspace, revision);
CREATE INDEX memories_standing ON tacit.memories (workspace, scope, scope_id, importance, id)
WHERE type IN ('constraint', 'preference', 'identity') AND trust = 'trusted';
CREATE INDEX memories_by_place ON tacit.memories (workspace, session, ordinal)
WHERE session IS NOT NULL;

-- What an index that lives elsewhere must drop.
CREATE TABLE tacit.removals (
    workspace bigint NOT NULL,
    revision bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, revision, id)
) {partitioned};

-- Derived from the content: its terms, in order, as signed 64-bit codes.
CREATE TABLE tacit.texts (
    workspace bigint NOT NULL,
    row bigint NOT NULL,
    terms bigint[] NOT NULL,
    PRIMARY KEY (workspace, row),
    FOREIGN KEY (workspace, row) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE
) {partitioned};

-- Derived from the content: what it claims, to find what may contradict it.
CREATE TABLE tacit.claims (
    workspace bigint NOT NULL,
    claim bigint NOT NULL,
    row bigint NOT NULL,
    PRIMARY KEY (workspace, claim, row),
    FOREIGN KEY (workspace, row) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE
) {partitioned};

CREATE INDEX claims_by_memory ON tacit.claims (workspace, row);

CREATE TABLE tacit.associations (
    workspace bigint NOT NULL,
    source text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    relation text COLLATE "C" NOT NULL,
    weight double precision NOT NULL,
    PRIMARY KEY (workspace, source, target, relation),
    FOREIGN KEY (workspace, source) REFERENCES tacit.memories (workspace, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace, target) REFERENCES tacit.memories (workspace, id) ON DELETE CASCADE
) {partitioned};

CREATE INDEX associations_by_target ON tacit.associations (workspace, target);

CREATE TABLE tacit.models (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    dims integer NOT NULL,
    revision text COLLATE "C" NOT NULL,
    UNIQUE (name, dims, revision)
);

CREATE TABLE tacit.vectors (
    workspace bigint NOT NULL,
    model integer NOT NULL,
    row bigint NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (workspace, model, row),
    FOREIGN KEY (workspace, row) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE
) {partitioned};

CREATE INDEX vectors_by_memory ON tacit.vectors (workspace, row);

CREATE TABLE tacit.audit (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    memory text COLLATE "C" NOT NULL,
    action text NOT NULL,
    actor text NOT NULL,
    at bigint NOT NULL,
    subject text NOT NULL,
    old json,
    new json,
    PRIMARY KEY (workspace, id)
) {partitioned};

CREATE INDEX audit_by_memory ON tacit.audit (workspace, memory);

CREATE TABLE tacit.reviews (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    memory text COLLATE "C" NOT NULL,
    action text NOT NULL,
    change text NOT NULL,
    actor text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (workspace, id)
) {partitioned};

-- The same wish waits only once; a change may be longer than an index takes.
CREATE UNIQUE INDEX reviews_by_wish
ON tacit.reviews (workspace, memory, action, actor, md5(change));

CREATE TABLE tacit.sessions (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    turns bigint NOT NULL,
    speakers json NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    -- When its history began anew.
    cleared_at bigint,
    -- How often it was cleared, so that a turn that began before is not recorded after.
    clears bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, id)
) {partitioned};

CREATE INDEX sessions_by_change ON tacit.sessions (workspace, updated_at, id);

-- What was injected, and where it stands in the history.
CREATE TABLE tacit.blocks (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    text text NOT NULL,
    anchor text NOT NULL,
    ordinal bigint NOT NULL,
    memories text[] NOT NULL,
    made_in text NOT NULL,
    speaker text,
    state text NOT NULL,
    -- A turn may make a block of standing rules beside its block of memories.
    standing_rules boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace, session, id)
) {partitioned};

-- Blocks are looked up by their ids, whichever session made them, and in turns that have not ended.
CREATE INDEX blocks_by_id ON tacit.blocks (workspace, id);

-- Which memories a session was shown; an entry is released when its block is out of the history.
CREATE TABLE tacit.ledger (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    memory text COLLATE "C" NOT NULL,
    content_hash bytea NOT NULL,
    block text NOT NULL,
    pruned_at bigint,
    PRIMARY KEY (workspace, session, turn, memory)
) {partitioned};

CREATE INDEX ledger_by_memory ON tacit.ledger (workspace, memory);

CREATE TABLE tacit.receipts (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    at bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (workspace, id)
) {partitioned};

CREATE INDEX receipts_by_session ON tacit.receipts (workspace, session, id);
CREATE INDEX receipts_by_time ON tacit.receipts (workspace, at);

-- Turns that have begun and not ended: what their end will write.
CREATE TABLE tacit.open_turns (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    block text COLLATE "C",
    standing_block text COLLATE "C",
    PRIMARY KEY (workspace, session, id)
) {partitioned};

CREATE INDEX open_turns_by_id ON tacit.open_turns (workspace, id);
CREATE INDEX open_turns_by_block ON tacit.open_turns (workspace, block);
CREATE INDEX open_turns_by_standing_block ON tacit.open_turns (workspace, standing_block);

-- Memories that were of no use for a query.
CREATE TABLE tacit.marks (
    workspace bigint NOT NULL,
    memory text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    terms bytea NOT NULL,
    at bigint NOT NULL,
    -- Who made it, and so in whose turns it counts.
    actor text COLLATE "C" NOT NULL DEFAULT 'user',
    agent text COLLATE "C",
    user_name text COLLATE "C",
    PRIMARY KEY (workspace, memory, id),
    FOREIGN KEY (workspace, memory) REFERENCES tacit.memories (workspace, id) ON DELETE CASCADE
) {partitioned};

-- Sessions and projects that memory leaves alone.
CREATE TABLE tacit.pauses (
    workspace bigint NOT NULL,
    scope text COLLATE "C" NOT NULL,
    scope_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, scope, scope_id)
) {partitioned};

-- What a search must know of a workspace that is too large to be held in memory: a census of its
-- words, sessions and vectors, taken when it outgrew memory and again when it has changed much.
-- Indexes that hold nothing but this workspace are made with it.
CREATE TABLE tacit.censuses (
    workspace bigint PRIMARY KEY,
    model integer NOT NULL,
    revision bigint NOT NULL,
    documents bigint NOT NULL,
    words bigint NOT NULL,
    sessions bigint NOT NULL,
    session_words bigint NOT NULL,
    vectors bigint NOT NULL,
    mean vector
);

CREATE TABLE tacit.lexicon (
    workspace bigint NOT NULL,
    term bigint NOT NULL,
    documents bigint NOT NULL,
    PRIMARY KEY (workspace, term)
) {partitioned};

CREATE TABLE tacit.session_lengths (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    words bigint NOT NULL,
    PRIMARY KEY (workspace, session)
) {partitioned};

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
    revoked_at bigint,
    -- A key with a user is bound to that user.
    user_name text COLLATE "C",
    -- NULL: a key of an agent from before this was asked, which speaks for users.
    speaks_for_users boolean
);

CREATE UNIQUE INDEX keys_by_name ON tacit.keys (name) WHERE revoked_at IS NULL;

-- What was said in turns. The rules have not read what is fresh; what they have read waits for the
-- model, which should read now what is due.
CREATE TABLE tacit.heard (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    stage text NOT NULL,
    due boolean NOT NULL,
    body bytea NOT NULL,
    -- How often its reading was begun, and why it was set aside.
    tries integer NOT NULL DEFAULT 0,
    problem text,
    PRIMARY KEY (workspace, id)
) {partitioned};

CREATE INDEX heard_by_stage ON tacit.heard (workspace, stage, id);
CREATE INDEX heard_by_session ON tacit.heard (workspace, session, id);

-- How far long work has come.
CREATE TABLE tacit.progress (
    workspace bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    value json NOT NULL,
    PRIMARY KEY (workspace, name)
) {partitioned};

-- What workflows note about sessions.
CREATE TABLE tacit.variables (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value json NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (workspace, session, name)
) {partitioned};

-- Who takes part in sessions and contexts: an agent and a user, each empty where it is not known.
CREATE TABLE tacit.participants (
    workspace bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    user_name text COLLATE "C" NOT NULL,
    took_turn boolean NOT NULL,
    PRIMARY KEY (workspace, session, agent, user_name)
) {partitioned};

-- The folders that projects are at. Without a project a folder's claim waits for a person.
CREATE TABLE tacit.places (
    workspace bigint NOT NULL,
    host text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    claim text COLLATE "C" NOT NULL,
    project text COLLATE "C",
    at bigint NOT NULL,
    PRIMARY KEY (workspace, host, path, claim)
) {partitioned};

CREATE INDEX places_by_project ON tacit.places (workspace, project);

-- Codes of the tokens of memories, which were encoded behind up to two memories said before them. When
-- one of those is deleted, the codes go as well: they know its words.
CREATE TABLE tacit.token_codes (
    workspace bigint NOT NULL,
    model integer NOT NULL,
    row bigint NOT NULL,
    older bigint,
    newer bigint,
    codes bytea NOT NULL,
    PRIMARY KEY (workspace, model, row),
    FOREIGN KEY (workspace, row) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE,
    FOREIGN KEY (workspace, older) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE,
    FOREIGN KEY (workspace, newer) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE
) {partitioned};

-- Codes cannot be compressed, and nobody should try.
ALTER TABLE tacit.token_codes ALTER COLUMN codes SET STORAGE EXTERNAL;

CREATE INDEX token_codes_by_memory ON tacit.token_codes (workspace, row);
CREATE INDEX token_codes_by_older ON tacit.token_codes (workspace, older);
CREATE INDEX token_codes_by_newer ON tacit.token_codes (workspace, newer);
