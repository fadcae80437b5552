-- name: of
SELECT session, name, value::text, at FROM tacit.variables
WHERE workspace = %(workspace)s AND session = %(session)s ORDER BY name;

-- name: put
INSERT INTO tacit.variables (workspace, session, name, value, at)
VALUES (%(workspace)s, %(session)s, %(name)s, %(value)s, %(at)s)
ON CONFLICT (workspace, session, name) DO UPDATE SET value = excluded.value, at = excluded.at;

-- name: remove
DELETE FROM tacit.variables
WHERE workspace = %(workspace)s AND session = %(session)s AND name = %(name)s RETURNING 1;

-- name: prune
DELETE FROM tacit.variables WHERE workspace = %(workspace)s AND at < %(before)s RETURNING 1;

-- name: scan
SELECT session, name, value::text, at FROM tacit.variables
WHERE workspace = %(workspace)s AND (session, name) > (%(session)s, %(name)s)
ORDER BY session, name LIMIT %(limit)s;
