-- name: revision
SELECT revision FROM workspaces WHERE id = :workspace;

-- name: advance
UPDATE workspaces SET revision = revision + 1 WHERE id = :workspace RETURNING revision;

-- name: mark
UPDATE memories SET revision = :revision WHERE workspace = :workspace AND id = :id;

-- name: mark_rows
UPDATE memories SET revision = :revision WHERE row IN (SELECT value FROM json_each(:rows));

-- name: since
SELECT
    m.id, m.type, m.scope, m.scope_id, m.agent, m.confidence, m.importance, m.trust,
    m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.superseded_by IS NOT NULL,
    m.forgotten,
    CASE WHEN m.origin <> '{}' THEN m.origin ->> '$.session' END,
    CASE WHEN m.origin <> '{}' THEN m.origin ->> '$.ordinal' END,
    CASE WHEN m.origin <> '{}' THEN m.origin ->> '$.speaker' END,
    t.terms, v.vector
FROM memories AS m
JOIN texts AS t ON t.workspace = m.workspace AND t.row = m.row
LEFT JOIN vectors AS v ON v.workspace = m.workspace AND v.model = :model AND v.row = m.row
WHERE m.workspace = :workspace AND m.revision > :revision
ORDER BY m.row;

-- name: rows
-- A page of everything; the table of terms is in the order of workspace and row, so nothing is
-- sorted.
SELECT
    m.id, m.type, m.scope, m.scope_id, m.agent, m.confidence, m.importance, m.trust,
    m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.superseded_by IS NOT NULL,
    m.forgotten,
    CASE WHEN m.origin <> '{}' THEN m.origin ->> '$.session' END,
    CASE WHEN m.origin <> '{}' THEN m.origin ->> '$.ordinal' END,
    CASE WHEN m.origin <> '{}' THEN m.origin ->> '$.speaker' END,
    t.terms, v.vector
FROM texts AS t
CROSS JOIN memories AS m ON m.row = t.row
LEFT JOIN vectors AS v ON v.workspace = t.workspace AND v.model = :model AND v.row = t.row
WHERE t.workspace = :workspace AND t.row > :first AND t.row <= :last;

-- name: last_of_page
SELECT max(row) FROM (
    SELECT row FROM texts WHERE workspace = :workspace AND row > :first ORDER BY row LIMIT :limit
);

-- name: removed
SELECT id FROM removals WHERE workspace = :workspace AND revision > :revision;
