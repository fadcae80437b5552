-- name: add
INSERT INTO tacit.keys (
    id, name, workspace, role, agent, user_name, speaks_for_users, digest, created_at, revoked_at
)
VALUES (
    %(id)s, %(name)s, %(workspace)s, %(role)s, %(agent)s, %(user_name)s, %(speaks_for_users)s,
    %(digest)s, %(created_at)s, %(revoked_at)s
)
ON CONFLICT DO NOTHING RETURNING id;

-- name: get
SELECT
    id, name, workspace, role, agent, user_name, speaks_for_users, digest, created_at, revoked_at
FROM tacit.keys
WHERE id = %(id)s;

-- name: all
SELECT
    id, name, workspace, role, agent, user_name, speaks_for_users, digest, created_at, revoked_at
FROM tacit.keys
ORDER BY created_at, id;

-- name: revoke
UPDATE tacit.keys SET revoked_at = %(at)s WHERE id = %(id)s AND revoked_at IS NULL RETURNING id;

-- name: any
SELECT 1 FROM tacit.keys LIMIT 1;
