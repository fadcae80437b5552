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
    analysis text NOT NULL
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
    PRIMARY KEY (workspace, session, id)
) {partitioned};

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
    PRIMARY KEY (workspace, session, id)
) {partitioned};

-- Memories that were of no use for a query.
CREATE TABLE tacit.marks (
    workspace bigint NOT NULL,
    memory text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    terms bytea NOT NULL,
    at bigint NOT NULL,
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
