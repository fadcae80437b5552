-- name: insert
INSERT INTO memories (
    workspace, id, content, content_hash, type, key, importance, confidence, scope, scope_id,
    agent, source, origin, trust, explicit, pinned, tags, metadata, created_at, updated_at,
    last_accessed_at, access_count, valid_from, valid_to, superseded_by, expires_at, forgotten,
    revision
) VALUES (
    :workspace, :id, :content, :content_hash, :type, :key, :importance, :confidence, :scope,
    :scope_id, :agent, :source, :origin, :trust, :explicit, :pinned, :tags, :metadata,
    :created_at, :updated_at, :last_accessed_at, :access_count, :valid_from, :valid_to,
    :superseded_by, :expires_at, :forgotten, :revision
);

-- name: update
UPDATE memories SET
    content = :content, content_hash = :content_hash, type = :type, key = :key,
    importance = :importance, confidence = :confidence, scope = :scope, scope_id = :scope_id,
    agent = :agent, source = :source, origin = :origin, trust = :trust, explicit = :explicit,
    pinned = :pinned, tags = :tags, metadata = :metadata, created_at = :created_at,
    updated_at = :updated_at, last_accessed_at = :last_accessed_at,
    access_count = :access_count, valid_from = :valid_from, valid_to = :valid_to,
    superseded_by = :superseded_by, expires_at = :expires_at, forgotten = :forgotten,
    revision = :revision
WHERE workspace = :workspace AND id = :id;

-- name: encoded_behind
SELECT DISTINCT row FROM token_codes
WHERE older = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id)
    OR newer = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id);

-- name: delete
DELETE FROM memories WHERE workspace = :workspace AND id = :id;

-- name: note_removal
INSERT INTO removals (workspace, revision, id) VALUES (:workspace, :revision, :id);

-- name: get
SELECT * FROM memories
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: same
SELECT * FROM memories
WHERE workspace = :workspace AND content_hash = :content_hash AND superseded_by IS NULL;

-- name: same_as
SELECT m.* FROM json_each(:hashes) AS asked CROSS JOIN memories AS m
WHERE m.workspace = :workspace AND m.content_hash = unhex(asked.value) AND m.superseded_by IS NULL;

-- name: expired
SELECT * FROM memories INDEXED BY memories_expiring
WHERE workspace = :workspace AND expires_at IS NOT NULL AND expires_at <= :now
    AND NOT explicit AND NOT forgotten AND superseded_by IS NULL
    AND (expires_at, id) < (:at, :id)
ORDER BY expires_at DESC, id DESC LIMIT :limit;

-- name: ending
SELECT id FROM memories
WHERE workspace = :workspace AND substr(id, -length(:suffix)) = :suffix
ORDER BY id LIMIT :limit;

-- name: known
SELECT id FROM memories
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: standing
SELECT id FROM memories
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids))
    AND NOT forgotten AND superseded_by IS NULL;

-- name: count_access
UPDATE memories SET access_count = access_count + 1, last_accessed_at = :at
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: find
SELECT * FROM memories WHERE workspace = :workspace

-- name: find_by_key
-- The planner knows nothing of how rare a key or a pin is, so this and the next say where to look.
SELECT * FROM memories INDEXED BY memories_by_key WHERE workspace = :workspace

-- name: find_keyed
SELECT * FROM memories INDEXED BY memories_keyed WHERE workspace = :workspace

-- name: find_standing
SELECT * FROM memories INDEXED BY memories_standing WHERE workspace = :workspace

-- name: find_pinned
SELECT * FROM memories INDEXED BY memories_pinned WHERE workspace = :workspace

-- name: find_recent_of_type
SELECT * FROM memories INDEXED BY memories_by_type WHERE workspace = :workspace

-- name: find_importance_of_type
SELECT * FROM memories INDEXED BY memories_by_weight WHERE workspace = :workspace

-- name: find_sifted
-- What is sorted is rows, not whole memories; the next reads those that are left.
SELECT row FROM memories INDEXED BY memories_by_id WHERE workspace = :workspace

-- name: find_these
SELECT * FROM memories WHERE row IN

-- name: total
SELECT count(*) FROM memories INDEXED BY memories_by_id WHERE workspace = :workspace

-- name: unseen
-- Two short walks along the index of owners; neither goes further than what is asked for.
SELECT
    (SELECT count(*) FROM (
        SELECT 1 FROM memories INDEXED BY memories_by_owner
        WHERE workspace = :workspace AND scope = 'user' AND scope_id = '' AND :user <> ''
            AND NOT forgotten AND superseded_by IS NULL AND (valid_to IS NULL OR valid_to > :now)
            AND (expires_at IS NULL OR expires_at > :now)
            AND (valid_from IS NULL OR valid_from <= :now) AND (agent IS NULL OR agent = :agent)
        LIMIT :most
    ) AS unowned),
    (SELECT count(*) FROM (
        SELECT 1 FROM memories INDEXED BY memories_by_owner
        WHERE workspace = :workspace AND scope = 'user' AND scope_id > '' AND scope_id <> :user
            AND NOT forgotten AND superseded_by IS NULL AND (valid_to IS NULL OR valid_to > :now)
            AND (expires_at IS NULL OR expires_at > :now)
            AND (valid_from IS NULL OR valid_from <= :now) AND (agent IS NULL OR agent = :agent)
        LIMIT :most
    ) AS others);

-- name: before
SELECT id FROM memories INDEXED BY memories_by_place
WHERE workspace = :workspace AND origin ->> 'session' = :session AND origin ->> 'ordinal' < :ordinal
    AND NOT forgotten AND (agent IS NULL OR agent = :agent)
    AND (scope = :scope AND scope_id = :scope_id OR scope IN ('project', 'org'))
ORDER BY origin ->> 'ordinal' DESC, id DESC LIMIT :limit;

-- name: where_state
:state = CASE
    WHEN forgotten THEN 'forgotten'
    WHEN superseded_by IS NOT NULL OR valid_to <= :now OR expires_at <= :now THEN 'past'
    WHEN valid_from > :now THEN 'future'
    ELSE 'live'
END

-- name: where_types
type IN (SELECT value FROM json_each(:types))

-- name: where_type
type = :type

-- name: where_scope
scope = :scope

-- name: where_scope_id
scope_id = :scope_id

-- name: where_agent
(agent IS NULL OR agent = :agent)

-- name: where_user
(scope <> 'user' OR scope_id IN ('', :user))

-- name: where_project
(scope <> 'project' OR scope_id = :project)

-- name: where_no_session
-- What belongs to a session is its participants': it is seen by who names the session.
scope <> 'session'

-- name: where_own_session
(scope <> 'session' OR scope_id = :own_session)

-- name: where_key
key = :key

-- name: where_tag
EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag)

-- name: where_min_confidence
confidence >= :min_confidence

-- name: where_contains
(
    content LIKE :loosely AND (content GLOB :contains OR content GLOB :contains_too)
    OR key LIKE :loosely AND (key GLOB :contains OR key GLOB :contains_too)
    OR tags LIKE :loosely AND EXISTS (
        SELECT 1 FROM json_each(tags) WHERE value GLOB :contains OR value GLOB :contains_too
    )
)

-- name: where_source
source = :source

-- name: where_trust
trust = :trust

-- name: where_explicit
explicit = :explicit

-- name: where_session
origin ->> 'session' = :session

-- name: where_expires
(expires_at IS NOT NULL) = :expires

-- name: where_min_importance
importance >= :min_importance

-- name: where_max_importance
importance <= :max_importance

-- name: where_created_from
created_at >= :created_from

-- name: where_created_to
created_at < :created_to

-- name: where_updated_from
updated_at >= :updated_from

-- name: where_pinned
pinned

-- name: where_unpinned
NOT pinned

-- name: where_keyed
key IS NOT NULL

-- name: where_standing
type IN ('constraint', 'preference', 'identity') AND trust = 'trusted'

-- name: where_owners
scope || ':' || scope_id IN (SELECT value FROM json_each(:owners))

-- name: order_recent
ORDER BY updated_at DESC, id DESC LIMIT :limit

-- name: order_importance
ORDER BY importance DESC, id DESC LIMIT :limit

-- name: order_most_accessed
ORDER BY access_count DESC, id DESC LIMIT :limit

-- name: order_created
ORDER BY id LIMIT :limit

-- name: after_recent
(updated_at, id) < (SELECT updated_at, id FROM memories WHERE workspace = :workspace AND id = :after)

-- name: after_importance
(importance, id) < (SELECT importance, id FROM memories WHERE workspace = :workspace AND id = :after)

-- name: after_most_accessed
(access_count, id) < (SELECT access_count, id FROM memories WHERE workspace = :workspace AND id = :after)

-- name: after_created
id > :after

-- name: count_by_state
SELECT CASE
    WHEN forgotten THEN 'forgotten'
    WHEN superseded_by IS NOT NULL OR valid_to <= :now OR expires_at <= :now THEN 'past'
    WHEN valid_from > :now THEN 'future'
    ELSE 'live'
END AS state, type, scope, count(*) FROM memories
WHERE workspace = :workspace GROUP BY 1, 2, 3;

-- name: by_day
-- Days are counted from the first of the year 1, before which no memory is, so none is negative.
SELECT (created_at + 62135596800000000) / 86400000000 + 1, count(*) FROM memories
WHERE workspace = :workspace
    AND (:agent IS NULL OR scope <> 'session' AND (agent IS NULL OR agent = :agent))
    AND (
        :user IS NULL OR scope IN ('project', 'org')
        OR scope = 'user' AND scope_id IN ('', :user)
    )
GROUP BY 1;

-- name: workspace
SELECT id FROM workspaces WHERE name = :name;

-- name: add_workspace
INSERT INTO workspaces (name) VALUES (:name) ON CONFLICT DO NOTHING;

-- name: workspaces
SELECT name FROM workspaces ORDER BY name;
