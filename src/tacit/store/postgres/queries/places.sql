-- name: get
SELECT host, path, claim, project, at FROM tacit.places
WHERE workspace = %(workspace)s AND host = %(host)s AND path = %(path)s AND claim = %(claim)s;

-- name: at
SELECT host, path, claim, project, at FROM tacit.places
WHERE workspace = %(workspace)s AND host = %(host)s AND path = %(path)s ORDER BY claim;

-- name: of_project
SELECT host, path, claim, project, at FROM tacit.places
WHERE workspace = %(workspace)s AND project = %(project)s ORDER BY host, path, claim;

-- name: put
INSERT INTO tacit.places (workspace, host, path, claim, project, at)
VALUES (%(workspace)s, %(host)s, %(path)s, %(claim)s, %(project)s, %(at)s)
ON CONFLICT (workspace, host, path, claim)
DO UPDATE SET project = excluded.project, at = excluded.at;

-- name: remove
DELETE FROM tacit.places
WHERE workspace = %(workspace)s AND host = %(host)s AND path = %(path)s AND claim = %(claim)s
RETURNING 1;

-- name: scan
SELECT host, path, claim, project, at FROM tacit.places
WHERE workspace = %(workspace)s AND (host, path, claim) > (%(host)s, %(path)s, %(claim)s)
ORDER BY host, path, claim LIMIT %(limit)s;
