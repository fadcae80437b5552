-- name: insert
INSERT INTO tacit.memories (
    workspace, id, content, content_hash, type, key, importance, confidence, scope, scope_id,
    agent, source, origin, session, ordinal, speaker, trust, explicit, pinned, tags, metadata,
    created_at, updated_at, last_accessed_at, access_count, valid_from, valid_to, superseded_by,
    expires_at, forgotten, revision
)
SELECT
    w.workspace, new.id, new.content, new.content_hash, new.type, new.key, new.importance,
    new.confidence, new.scope, new.scope_id, new.agent, new.source, new.origin::json, new.session,
    new.ordinal, new.speaker, new.trust, new.explicit, new.pinned, new.tags, new.metadata::json,
    new.created_at, new.updated_at, new.last_accessed_at, new.access_count, new.valid_from,
    new.valid_to, new.superseded_by, new.expires_at, new.forgotten, w.revision
FROM tacit.workspaces AS w
CROSS JOIN json_to_recordset(%(rows)s) AS new (
    id text, content text, content_hash bytea, type text, key text, importance double precision,
    confidence double precision, scope text, scope_id text, agent text, source text, origin text,
    session text, ordinal bigint, speaker text, trust text, explicit boolean, pinned boolean,
    tags text[], metadata text, created_at bigint, updated_at bigint, last_accessed_at bigint,
    access_count bigint, valid_from bigint, valid_to bigint, superseded_by text, expires_at bigint,
    forgotten boolean
)
WHERE w.workspace = %(workspace)s;

-- name: update
UPDATE tacit.memories SET
    content = %(content)s, content_hash = %(content_hash)s, type = %(type)s, key = %(key)s,
    importance = %(importance)s, confidence = %(confidence)s, scope = %(scope)s,
    scope_id = %(scope_id)s, agent = %(agent)s, source = %(source)s, origin = %(origin)s,
    session = %(session)s, ordinal = %(ordinal)s, speaker = %(speaker)s, trust = %(trust)s,
    explicit = %(explicit)s, pinned = %(pinned)s, tags = %(tags)s, metadata = %(metadata)s,
    created_at = %(created_at)s, updated_at = %(updated_at)s,
    last_accessed_at = %(last_accessed_at)s, access_count = %(access_count)s,
    valid_from = %(valid_from)s, valid_to = %(valid_to)s, superseded_by = %(superseded_by)s,
    expires_at = %(expires_at)s, forgotten = %(forgotten)s,
    revision = (SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s)
WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: await_census
SELECT pg_advisory_xact_lock_shared(x'54434943'::bigint # %(workspace)s);

-- name: forget_terms
-- Where terms are counted, no word of an erased text outlives it.
WITH gone AS (
    SELECT DISTINCT unnest(t.terms) AS term FROM tacit.texts AS t
    JOIN tacit.memories AS m ON m.workspace = t.workspace AND m.row = t.row
    WHERE m.workspace = %(workspace)s AND m.id = %(id)s
), lessened AS (
    UPDATE tacit.lexicon AS l SET documents = documents - 1 FROM gone
    WHERE l.workspace = %(workspace)s AND l.term = gone.term AND l.documents > 1
)
DELETE FROM tacit.lexicon AS l USING gone
WHERE l.workspace = %(workspace)s AND l.term = gone.term AND l.documents <= 1;

-- name: mark_encoded_behind
UPDATE tacit.memories
SET revision = (SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s)
WHERE workspace = %(workspace)s AND row = ANY(ARRAY(
    SELECT t.row FROM tacit.token_codes AS t
    WHERE t.workspace = %(workspace)s AND (
        t.older = (SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(id)s)
        OR t.newer = (SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(id)s)
    )
));

-- name: delete
WITH gone AS (
    DELETE FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(id)s
    RETURNING workspace, id
)
INSERT INTO tacit.removals (workspace, revision, id)
SELECT w.workspace, w.revision, gone.id FROM gone
JOIN tacit.workspaces AS w ON w.workspace = gone.workspace
ON CONFLICT DO NOTHING;

-- name: get
SELECT
    id, content, content_hash, type, key, importance, confidence, scope, scope_id, agent, source,
    origin::text, trust, explicit, pinned, tags, metadata::text, created_at, updated_at,
    last_accessed_at, access_count, valid_from, valid_to, superseded_by, expires_at, forgotten
FROM tacit.memories WHERE workspace = %(workspace)s AND id = ANY(%(ids)s)
ORDER BY id;

-- name: same
SELECT
    id, content, content_hash, type, key, importance, confidence, scope, scope_id, agent, source,
    origin::text, trust, explicit, pinned, tags, metadata::text, created_at, updated_at,
    last_accessed_at, access_count, valid_from, valid_to, superseded_by, expires_at, forgotten
FROM tacit.memories
WHERE workspace = %(workspace)s AND content_hash = ANY(%(hashes)s) AND superseded_by IS NULL;

-- name: expired
SELECT
    id, content, content_hash, type, key, importance, confidence, scope, scope_id, agent, source,
    origin::text, trust, explicit, pinned, tags, metadata::text, created_at, updated_at,
    last_accessed_at, access_count, valid_from, valid_to, superseded_by, expires_at, forgotten
FROM tacit.memories
WHERE workspace = %(workspace)s AND expires_at IS NOT NULL AND expires_at <= %(now)s
    AND NOT explicit AND NOT forgotten AND superseded_by IS NULL
    AND (expires_at, id) < (%(at)s::bigint, %(id)s::text)
ORDER BY expires_at DESC, id DESC LIMIT %(limit)s;

-- name: ending
SELECT id FROM tacit.memories
WHERE workspace = %(workspace)s AND right(id, length(%(suffix)s::text)) = %(suffix)s::text
ORDER BY id LIMIT %(limit)s;

-- name: known
SELECT id FROM tacit.memories WHERE workspace = %(workspace)s AND id = ANY(%(ids)s);

-- name: standing
SELECT id FROM tacit.memories
WHERE workspace = %(workspace)s AND id = ANY(%(ids)s) AND NOT forgotten AND superseded_by IS NULL;

-- name: count_access
UPDATE tacit.memories SET access_count = access_count + 1, last_accessed_at = %(at)s
WHERE workspace = %(workspace)s AND id = ANY(%(ids)s);

-- name: find
SELECT
    id, content, content_hash, type, key, importance, confidence, scope, scope_id, agent, source,
    origin::text, trust, explicit, pinned, tags, metadata::text, created_at, updated_at,
    last_accessed_at, access_count, valid_from, valid_to, superseded_by, expires_at, forgotten
FROM tacit.memories WHERE workspace = %(workspace)s

-- name: total
SELECT count(*) FROM tacit.memories WHERE workspace = %(workspace)s

-- name: unseen
-- Two short walks along the index of owners; neither goes further than what is asked for.
SELECT
    (SELECT count(*) FROM (
        SELECT 1 FROM tacit.memories
        WHERE workspace = %(workspace)s AND scope = 'user' AND scope_id = '' AND %(user)s::text <> ''
            AND NOT forgotten AND superseded_by IS NULL AND (valid_to IS NULL OR valid_to > %(now)s)
            AND (expires_at IS NULL OR expires_at > %(now)s)
            AND (valid_from IS NULL OR valid_from <= %(now)s) AND (agent IS NULL OR agent = %(agent)s)
        LIMIT %(most)s
    ) AS unowned),
    (SELECT count(*) FROM (
        SELECT 1 FROM tacit.memories
        WHERE workspace = %(workspace)s AND scope = 'user' AND scope_id > '' AND scope_id <> %(user)s::text
            AND NOT forgotten AND superseded_by IS NULL AND (valid_to IS NULL OR valid_to > %(now)s)
            AND (expires_at IS NULL OR expires_at > %(now)s)
            AND (valid_from IS NULL OR valid_from <= %(now)s) AND (agent IS NULL OR agent = %(agent)s)
        LIMIT %(most)s
    ) AS others);

-- name: before
SELECT id FROM tacit.memories
WHERE workspace = %(workspace)s AND session = %(session)s AND ordinal < %(ordinal)s
    AND NOT forgotten AND (agent IS NULL OR agent = %(agent)s)
    AND (scope = %(scope)s AND scope_id = %(scope_id)s OR scope IN ('project', 'org'))
ORDER BY ordinal DESC, id DESC LIMIT %(limit)s;

-- name: where_live
-- Most memories are, which the planner sees in this and would not see in the next.
NOT forgotten AND superseded_by IS NULL AND (valid_to IS NULL OR valid_to > %(now)s)
    AND (expires_at IS NULL OR expires_at > %(now)s)
    AND (valid_from IS NULL OR valid_from <= %(now)s)

-- name: where_state
%(state)s = CASE
    WHEN forgotten THEN 'forgotten'
    WHEN superseded_by IS NOT NULL OR valid_to <= %(now)s OR expires_at <= %(now)s THEN 'past'
    WHEN valid_from > %(now)s THEN 'future'
    ELSE 'live'
END

-- name: where_type
-- One type alone has an index that is in the order of the list.
type = %(type)s

-- name: where_types
type = ANY(%(types)s)

-- name: where_scope
scope = %(scope)s

-- name: where_scope_id
scope_id = %(scope_id)s

-- name: where_agent
(agent IS NULL OR agent = %(agent)s)

-- name: where_user
(scope <> 'user' OR scope_id IN ('', %(user)s))

-- name: where_project
(scope <> 'project' OR scope_id = %(project)s)

-- name: where_no_session
-- What belongs to a session is its participants': it is seen by who names the session.
scope <> 'session'

-- name: where_own_session
(scope <> 'session' OR scope_id = %(own_session)s)

-- name: where_key
key = %(key)s

-- name: where_tag
%(tag)s = ANY(tags)

-- name: where_min_confidence
confidence >= %(min_confidence)s

-- name: where_contains
(
    content ~ %(contains)s OR key ~ %(contains)s
    OR EXISTS (SELECT 1 FROM unnest(tags) AS tag WHERE tag ~ %(contains)s)
)

-- name: where_source
source = %(source)s

-- name: where_trust
trust = %(trust)s

-- name: where_explicit
explicit = %(explicit)s

-- name: where_session
session = %(session)s

-- name: where_expires
(expires_at IS NOT NULL) = %(expires)s

-- name: where_min_importance
importance >= %(min_importance)s

-- name: where_max_importance
importance <= %(max_importance)s

-- name: where_created_from
created_at >= %(created_from)s

-- name: where_created_to
created_at < %(created_to)s

-- name: where_updated_from
updated_at >= %(updated_from)s

-- name: where_pinned
pinned

-- name: where_unpinned
NOT pinned

-- name: where_keyed
key IS NOT NULL

-- name: where_standing
type IN ('constraint', 'preference', 'identity') AND trust = 'trusted'

-- name: where_owners
(scope, scope_id) IN (SELECT * FROM unnest(%(owners)s::text[], %(owner_ids)s::text[]))

-- name: order_recent
ORDER BY updated_at DESC, id DESC LIMIT %(limit)s

-- name: order_importance
ORDER BY importance DESC, id DESC LIMIT %(limit)s

-- name: order_most_accessed
ORDER BY access_count DESC, id DESC LIMIT %(limit)s

-- name: order_created
ORDER BY id LIMIT %(limit)s

-- name: after_recent
(updated_at, id) < (
    (SELECT updated_at FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(after)s),
    %(after)s
)

-- name: after_importance
(importance, id) < (
    (SELECT importance FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(after)s),
    %(after)s
)

-- name: after_most_accessed
(access_count, id) < (
    (SELECT access_count FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(after)s),
    %(after)s
)

-- name: after_created
id > %(after)s

-- name: count_by_state
SELECT CASE
    WHEN forgotten THEN 'forgotten'
    WHEN superseded_by IS NOT NULL OR valid_to <= %(now)s OR expires_at <= %(now)s THEN 'past'
    WHEN valid_from > %(now)s THEN 'future'
    ELSE 'live'
END AS state, type, scope, count(*) FROM tacit.memories
WHERE workspace = %(workspace)s GROUP BY 1, 2, 3;

-- name: by_day
-- Days are counted from the first of the year 1, before which no memory is, so none is negative.
SELECT (created_at + 62135596800000000) / 86400000000 + 1, count(*) FROM tacit.memories
WHERE workspace = %(workspace)s
    AND (
        %(agent)s::text IS NULL
        OR scope <> 'session' AND (agent IS NULL OR agent = %(agent)s)
    )
    AND (
        %(user)s::text IS NULL OR scope IN ('project', 'org')
        OR scope = 'user' AND scope_id IN ('', %(user)s)
    )
GROUP BY 1;
