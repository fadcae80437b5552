-- name: append
UPDATE workspaces SET events = events + 1 WHERE id = :workspace;
INSERT INTO events (workspace, number, at, kind, data)
SELECT id, events, :at, :kind, :data FROM workspaces WHERE id = :workspace
RETURNING number;

-- name: after
SELECT number, at, kind, data FROM events
WHERE workspace = :workspace AND number > :number ORDER BY number LIMIT :limit;

-- name: last
SELECT events FROM workspaces WHERE id = :workspace;

-- name: first
SELECT coalesce(min(number), 0) FROM events WHERE workspace = :workspace;

-- name: prune
DELETE FROM events WHERE workspace = :workspace
    AND number <= (SELECT events FROM workspaces WHERE id = :workspace) - :keep;
