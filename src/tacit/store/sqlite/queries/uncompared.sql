-- name: add
INSERT OR IGNORE INTO uncompared (workspace, id) VALUES (:workspace, :id);

-- name: add_all
INSERT OR IGNORE INTO uncompared (workspace, id)
SELECT workspace, id FROM memories
WHERE workspace = :workspace AND NOT forgotten AND superseded_by IS NULL;

-- name: newest
SELECT id FROM uncompared WHERE workspace = :workspace AND (:before IS NULL OR id < :before)
ORDER BY id DESC LIMIT :limit;

-- name: count
SELECT count(*) FROM uncompared WHERE workspace = :workspace;

-- name: waiting
SELECT id FROM uncompared
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: remove
DELETE FROM uncompared
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));
