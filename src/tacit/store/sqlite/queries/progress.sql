-- name: get
SELECT value FROM progress WHERE workspace = :workspace AND name = :name;

-- name: put
INSERT OR REPLACE INTO progress (workspace, name, value) VALUES (:workspace, :name, :value);

-- name: remove
DELETE FROM progress WHERE workspace = :workspace AND name = :name;
