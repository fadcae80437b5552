-- name: get
SELECT id, turns, speakers::text, created_at, updated_at, cleared_at, clears FROM tacit.sessions
WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: put
INSERT INTO tacit.sessions (workspace, id, turns, speakers, created_at, updated_at, cleared_at, clears)
VALUES (%(workspace)s, %(id)s, %(turns)s, %(speakers)s, %(created_at)s, %(updated_at)s,
    %(cleared_at)s, %(clears)s)
ON CONFLICT (workspace, id) DO UPDATE SET
    turns = excluded.turns, speakers = excluded.speakers, updated_at = excluded.updated_at,
    cleared_at = excluded.cleared_at, clears = excluded.clears;

-- name: remove
DELETE FROM tacit.sessions WHERE workspace = %(workspace)s AND id = %(id)s RETURNING 1;

-- name: recent
SELECT id, turns, speakers::text, created_at, updated_at, cleared_at, clears FROM tacit.sessions
WHERE workspace = %(workspace)s AND updated_at <= %(at)s AND (updated_at < %(at)s OR id > %(id)s)
ORDER BY updated_at DESC, id LIMIT %(limit)s;

-- name: scan
SELECT id, turns, speakers::text, created_at, updated_at, cleared_at, clears FROM tacit.sessions
WHERE workspace = %(workspace)s AND id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: pause
INSERT INTO tacit.pauses (workspace, scope, scope_id)
VALUES (%(workspace)s, %(scope)s, %(scope_id)s) ON CONFLICT DO NOTHING;

-- name: resume
DELETE FROM tacit.pauses
WHERE workspace = %(workspace)s AND scope = %(scope)s AND scope_id = %(scope_id)s RETURNING 1;

-- name: paused
SELECT scope, scope_id FROM tacit.pauses WHERE workspace = %(workspace)s;

-- name: recent_reached
-- A name that a claim leaves open is whose turns follow.
SELECT id, turns, speakers::text, created_at, updated_at, cleared_at, clears
FROM tacit.sessions AS s
WHERE workspace = %(workspace)s AND updated_at <= %(at)s AND (updated_at < %(at)s OR id > %(id)s)
    AND NOT EXISTS (
        SELECT 1 FROM tacit.participants AS p
        WHERE p.workspace = s.workspace AND p.session = s.id
            AND (p.agent <> coalesce(%(agent)s::text, p.agent) AND (p.took_turn OR p.agent <> '')
                OR p.user_name <> coalesce(%(user)s::text, p.user_name)
                    AND (p.took_turn OR p.user_name <> '')))
    AND EXISTS (
        SELECT 1 FROM tacit.participants AS p
        WHERE p.workspace = s.workspace AND p.session = s.id
            AND p.agent = coalesce(%(agent)s::text, p.agent))
    AND EXISTS (
        SELECT 1 FROM tacit.participants AS p
        WHERE p.workspace = s.workspace AND p.session = s.id
            AND p.user_name = coalesce(%(user)s::text, p.user_name))
ORDER BY updated_at DESC, id LIMIT %(limit)s;
