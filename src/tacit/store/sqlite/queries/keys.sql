-- name: add
INSERT INTO keys (
    id, name, workspace, role, agent, user_name, speaks_for_users, digest, created_at, revoked_at
)
VALUES (
    :id, :name, :workspace, :role, :agent, :user_name, :speaks_for_users, :digest, :created_at,
    :revoked_at
)
ON CONFLICT DO NOTHING RETURNING id;

-- name: get
SELECT
    id, name, workspace, role, agent, user_name, speaks_for_users, digest, created_at, revoked_at
FROM keys WHERE id = :id;

-- name: all
SELECT
    id, name, workspace, role, agent, user_name, speaks_for_users, digest, created_at, revoked_at
FROM keys
ORDER BY created_at, id;

-- name: revoke
UPDATE keys SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL RETURNING id;

-- name: any
SELECT 1 FROM keys LIMIT 1;
