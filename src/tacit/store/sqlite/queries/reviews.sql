-- name: add
INSERT INTO reviews (workspace, id, memory, action, change, actor, created_at)
VALUES (:workspace, :id, :memory, :action, :change, :actor, :created_at);

-- name: same
SELECT id, memory, action, change, actor, created_at FROM reviews
WHERE workspace = :workspace AND memory = :memory AND action = :action
    AND change = :change AND actor = :actor;

-- name: get
SELECT id, memory, action, change, actor, created_at FROM reviews
WHERE workspace = :workspace AND id = :id;

-- name: about
SELECT id, memory, action, change, actor, created_at FROM reviews
WHERE workspace = :workspace AND memory = :memory ORDER BY id;

-- name: pending
SELECT id, memory, action, change, actor, created_at FROM reviews
WHERE workspace = :workspace AND id > :after ORDER BY id LIMIT :limit;

-- name: drop
DELETE FROM reviews WHERE workspace = :workspace AND id = :id;

-- name: remove
DELETE FROM reviews WHERE workspace = :workspace AND memory = :memory;

-- name: count
SELECT count(*) FROM reviews WHERE workspace = :workspace;
