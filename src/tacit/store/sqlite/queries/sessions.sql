-- name: get
SELECT id, turns, speakers, created_at, updated_at, cleared_at, clears FROM sessions
WHERE workspace = :workspace AND id = :id;

-- name: put
INSERT INTO sessions (workspace, id, turns, speakers, created_at, updated_at, cleared_at, clears)
VALUES (:workspace, :id, :turns, :speakers, :created_at, :updated_at, :cleared_at, :clears)
ON CONFLICT (workspace, id) DO UPDATE SET
    turns = excluded.turns, speakers = excluded.speakers, updated_at = excluded.updated_at,
    cleared_at = excluded.cleared_at, clears = excluded.clears;

-- name: remove
DELETE FROM sessions WHERE workspace = :workspace AND id = :id;

-- name: recent
SELECT id, turns, speakers, created_at, updated_at, cleared_at, clears FROM sessions
WHERE workspace = :workspace AND updated_at <= :at AND (updated_at < :at OR id > :id)
ORDER BY updated_at DESC, id LIMIT :limit;

-- name: count
SELECT count(*) FROM sessions WHERE workspace = :workspace;

-- name: pause
INSERT OR IGNORE INTO pauses (workspace, scope, scope_id) VALUES (:workspace, :scope, :scope_id);

-- name: resume
DELETE FROM pauses WHERE workspace = :workspace AND scope = :scope AND scope_id = :scope_id;

-- name: paused
SELECT scope, scope_id FROM pauses WHERE workspace = :workspace ORDER BY scope, scope_id;

-- name: scan
SELECT id, turns, speakers, created_at, updated_at, cleared_at, clears FROM sessions
WHERE workspace = :workspace AND id > :after ORDER BY id LIMIT :limit;

-- name: recent_reached
-- A name that a claim leaves open is whose turns follow.
SELECT id, turns, speakers, created_at, updated_at, cleared_at, clears
FROM sessions AS s
WHERE workspace = :workspace AND updated_at <= :at AND (updated_at < :at OR id > :id)
    AND NOT EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.workspace = s.workspace AND p.session = s.id
            AND (p.agent <> coalesce(:agent, p.agent) AND (p.took_turn OR p.agent <> '')
                OR p.user_name <> coalesce(:user, p.user_name)
                    AND (p.took_turn OR p.user_name <> '')))
    AND EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.workspace = s.workspace AND p.session = s.id
            AND p.agent = coalesce(:agent, p.agent))
    AND EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.workspace = s.workspace AND p.session = s.id
            AND p.user_name = coalesce(:user, p.user_name))
ORDER BY updated_at DESC, id LIMIT :limit;
