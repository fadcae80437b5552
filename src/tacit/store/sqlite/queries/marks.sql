-- name: add
INSERT OR REPLACE INTO marks (workspace, memory, id, terms, at, actor, agent, user_name)
VALUES (:workspace, :memory, :id, :terms, :at, :actor, :agent, :user_name);

-- name: get
SELECT id, memory, terms, at, actor, agent, user_name FROM marks
WHERE workspace = :workspace AND id = :id;

-- name: remove
DELETE FROM marks WHERE workspace = :workspace AND memory = :memory AND id = :id;

-- name: of
SELECT id, memory, terms, at, actor, agent, user_name FROM marks
WHERE workspace = :workspace AND memory IN (SELECT value FROM json_each(:ids))
ORDER BY memory, id;

-- name: scan
SELECT id, memory, terms, at, actor, agent, user_name FROM marks
WHERE workspace = :workspace AND (memory, id) > (:memory, :id)
ORDER BY memory, id LIMIT :limit;
