-- name: revision
SELECT revision FROM workspaces WHERE id = :workspace;

-- name: advance
UPDATE workspaces SET revision = revision + 1 WHERE id = :workspace RETURNING revision;

-- name: mark
UPDATE memories SET revision = :revision WHERE workspace = :workspace AND id = :id;

-- name: since
SELECT
    m.id, m.type, m.scope, m.scope_id, m.agent, m.confidence, m.importance, m.trust,
    m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.superseded_by IS NOT NULL,
    m.forgotten, m.origin, t.terms, v.vector
FROM memories AS m
JOIN texts AS t ON t.workspace = m.workspace AND t.row = m.row
LEFT JOIN vectors AS v ON v.workspace = m.workspace AND v.model = :model AND v.row = m.row
WHERE m.workspace = :workspace AND m.revision > :revision
ORDER BY m.row;

-- name: removed
SELECT id FROM removals WHERE workspace = :workspace AND revision > :revision;
