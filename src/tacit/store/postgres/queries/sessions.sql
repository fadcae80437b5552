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
