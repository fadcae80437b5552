-- name: of
SELECT session, name, value, at FROM variables
WHERE workspace = :workspace AND session = :session ORDER BY name;

-- name: put
INSERT OR REPLACE INTO variables (workspace, session, name, value, at)
VALUES (:workspace, :session, :name, :value, :at);

-- name: remove
DELETE FROM variables WHERE workspace = :workspace AND session = :session AND name = :name;

-- name: prune
DELETE FROM variables WHERE workspace = :workspace AND at < :before;

-- name: scan
SELECT session, name, value, at FROM variables
WHERE workspace = :workspace AND (session, name) > (:session, :name)
ORDER BY session, name LIMIT :limit;
