-- Memories, what surrounds them, and what is derived from their text.
-- Times are microseconds since 1970 in UTC. Every key begins with the workspace.

CREATE TABLE properties (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The revision counts the transactions that changed what is searched.
CREATE TABLE workspaces (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL DEFAULT 0,
    -- The number of its last event; it goes on when events are dropped.
    events INTEGER NOT NULL DEFAULT 0,
    -- Not read: it is true in every database of this version.
    has_participants INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE memories (
    row INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    content TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    type TEXT NOT NULL,
    key TEXT,
    importance REAL NOT NULL,
    confidence REAL NOT NULL,
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    agent TEXT,
    source TEXT NOT NULL,
    origin TEXT NOT NULL,
    trust TEXT NOT NULL,
    explicit INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    tags TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_accessed_at INTEGER,
    access_count INTEGER NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    superseded_by TEXT,
    expires_at INTEGER,
    forgotten INTEGER NOT NULL,
    revision INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX memories_by_id ON memories (workspace, id);
CREATE UNIQUE INDEX memories_by_content ON memories (workspace, content_hash)
WHERE superseded_by IS NULL;
CREATE INDEX memories_by_change ON memories (workspace, updated_at, id);
CREATE INDEX memories_by_key ON memories (workspace, key, scope, scope_id, updated_at, id)
WHERE key IS NOT NULL;
CREATE INDEX memories_by_owner ON memories (workspace, scope, scope_id, updated_at, id);
CREATE INDEX memories_by_type ON memories (workspace, type, updated_at, id);
CREATE INDEX memories_by_weight ON memories (workspace, type, importance, id);
CREATE INDEX memories_keyed ON memories (workspace, scope, scope_id, updated_at, id)
WHERE key IS NOT NULL;
CREATE INDEX memories_pinned ON memories (workspace, updated_at, id) WHERE pinned;
CREATE INDEX memories_by_revision ON memories (workspace, revision);
CREATE INDEX memories_standing ON memories (workspace, scope, scope_id, importance, id)
WHERE type IN ('constraint', 'preference', 'identity') AND trust = 'trusted';
-- What was said before and after a memory in its session.
CREATE INDEX memories_by_place ON memories (workspace, origin ->> 'session', origin ->> 'ordinal')
WHERE origin ->> 'session' IS NOT NULL;

-- What an index that lives elsewhere must drop.
CREATE TABLE removals (
    workspace INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (workspace, revision, id)
) STRICT, WITHOUT ROWID;

-- Derived from the content: its terms, in order, as 64-bit codes.
CREATE TABLE texts (
    workspace INTEGER NOT NULL,
    row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    terms BLOB NOT NULL,
    PRIMARY KEY (workspace, row)
) STRICT, WITHOUT ROWID;

CREATE INDEX texts_by_memory ON texts (row);

CREATE TABLE associations (
    workspace INTEGER NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    relation TEXT NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (workspace, source, target, relation),
    FOREIGN KEY (workspace, source) REFERENCES memories (workspace, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace, target) REFERENCES memories (workspace, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX associations_by_target ON associations (workspace, target);

CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    dims INTEGER NOT NULL,
    revision TEXT NOT NULL,
    UNIQUE (name, dims, revision)
) STRICT;

-- Half-precision floats, contiguous for each workspace and model.
CREATE TABLE vectors (
    workspace INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (id),
    row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    PRIMARY KEY (workspace, model, row)
) STRICT, WITHOUT ROWID;

CREATE INDEX vectors_by_memory ON vectors (row);

CREATE TABLE audit (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    memory TEXT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL,
    subject TEXT NOT NULL,
    old TEXT,
    new TEXT,
    PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_by_memory ON audit (workspace, memory);

CREATE TABLE reviews (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    memory TEXT NOT NULL,
    action TEXT NOT NULL,
    change TEXT NOT NULL,
    actor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, id),
    UNIQUE (workspace, memory, action, change, actor)
) STRICT, WITHOUT ROWID;

-- Derived from the content: what it claims, as 64-bit codes, to find what may contradict it.
CREATE TABLE claims (
    workspace INTEGER NOT NULL,
    claim INTEGER NOT NULL,
    row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    PRIMARY KEY (workspace, claim, row)
) STRICT, WITHOUT ROWID;

CREATE INDEX claims_by_memory ON claims (row);

CREATE TABLE sessions (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    turns INTEGER NOT NULL,
    speakers TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- When its history began anew.
    cleared_at INTEGER,
    -- How often it was cleared, so that a turn that began before is not recorded after.
    clears INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_change ON sessions (workspace, updated_at, id);

-- What was injected, and where it stands in the history.
CREATE TABLE blocks (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    text TEXT NOT NULL,
    anchor TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    memories TEXT NOT NULL,
    made_in TEXT NOT NULL,
    speaker TEXT,
    state TEXT NOT NULL,
    -- A turn may make a block of standing rules beside its block of memories.
    standing_rules INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, session, id)
) STRICT, WITHOUT ROWID;

-- Blocks are looked up by their ids, whichever session made them, and in turns that have not ended.
CREATE INDEX blocks_by_id ON blocks (workspace, id);

-- Which memories a session was shown; an entry is released when its block is out of the history.
CREATE TABLE ledger (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    turn INTEGER NOT NULL,
    memory TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    block TEXT NOT NULL,
    pruned_at INTEGER,
    PRIMARY KEY (workspace, session, turn, memory)
) STRICT, WITHOUT ROWID;

CREATE INDEX ledger_by_memory ON ledger (workspace, memory);

CREATE TABLE receipts (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    session TEXT NOT NULL,
    turn INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX receipts_by_session ON receipts (workspace, session, id);

-- Turns that have begun and not ended: what their end will write.
CREATE TABLE open_turns (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    id TEXT NOT NULL,
    body BLOB NOT NULL,
    block TEXT,
    standing_block TEXT,
    PRIMARY KEY (workspace, session, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_turns_by_id ON open_turns (workspace, id);
CREATE INDEX open_turns_by_block ON open_turns (workspace, block);
CREATE INDEX open_turns_by_standing_block ON open_turns (workspace, standing_block);

-- Memories that were of no use for a query.
CREATE TABLE marks (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    memory TEXT NOT NULL,
    id TEXT NOT NULL,
    terms BLOB NOT NULL,
    at INTEGER NOT NULL,
    -- Who made it, and so in whose turns it counts.
    actor TEXT NOT NULL DEFAULT 'user',
    agent TEXT,
    user_name TEXT,
    PRIMARY KEY (workspace, memory, id),
    FOREIGN KEY (workspace, memory) REFERENCES memories (workspace, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Sessions and projects that memory leaves alone.
CREATE TABLE pauses (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    PRIMARY KEY (workspace, scope, scope_id)
) STRICT, WITHOUT ROWID;

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
    revoked_at INTEGER,
    -- A key with a user is bound to that user.
    user_name TEXT,
    -- NULL: a key of an agent from before this was asked, which speaks for users.
    speaks_for_users INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX keys_by_name ON keys (name) WHERE revoked_at IS NULL;

-- What was said in turns. The rules have not read what is fresh; what they have read waits for the
-- model, which should read now what is due.
CREATE TABLE heard (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    id TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    stage TEXT NOT NULL,
    due INTEGER NOT NULL,
    body BLOB NOT NULL,
    -- How often its reading was begun, and why it was set aside.
    tries INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX heard_by_stage ON heard (workspace, stage, id);
CREATE INDEX heard_by_session ON heard (workspace, session, id);

-- How far long work has come.
CREATE TABLE progress (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (workspace, name)
) STRICT, WITHOUT ROWID;

-- What workflows note about sessions.
CREATE TABLE variables (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, session, name)
) STRICT, WITHOUT ROWID;

-- Who takes part in sessions and contexts: an agent and a user, each empty where it is not known.
CREATE TABLE participants (
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    user_name TEXT NOT NULL,
    took_turn INTEGER NOT NULL,
    PRIMARY KEY (workspace, session, agent, user_name)
) STRICT, WITHOUT ROWID;

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

-- Codes of the tokens of memories, which were encoded behind up to two memories said before them. When
-- one of those is deleted, the codes go as well: they know its words. Not WITHOUT ROWID, where a row
-- of more than 1,002 bytes takes a page of its own.
CREATE TABLE token_codes (
    workspace INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (id),
    row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    older INTEGER REFERENCES memories (row) ON DELETE CASCADE,
    newer INTEGER REFERENCES memories (row) ON DELETE CASCADE,
    codes BLOB NOT NULL,
    UNIQUE (workspace, model, row)
) STRICT;

CREATE INDEX token_codes_by_memory ON token_codes (row);
CREATE INDEX token_codes_by_older ON token_codes (older);
CREATE INDEX token_codes_by_newer ON token_codes (newer);
