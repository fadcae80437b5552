-- name: get
SELECT value::text FROM tacit.progress WHERE workspace = %(workspace)s AND name = %(name)s;

-- name: put
INSERT INTO tacit.progress (workspace, name, value)
VALUES (%(workspace)s, %(name)s, %(value)s)
ON CONFLICT (workspace, name) DO UPDATE SET value = excluded.value;

-- name: remove
DELETE FROM tacit.progress WHERE workspace = %(workspace)s AND name = %(name)s;
