-- name: revision
SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s;

-- name: advance
UPDATE tacit.workspaces SET revision = revision + 1 WHERE workspace = %(workspace)s;

-- name: mark
-- What this transaction wrote itself has its revision already.
UPDATE tacit.memories AS m SET revision = w.revision FROM tacit.workspaces AS w
WHERE m.workspace = %(workspace)s AND m.id = ANY(%(ids)s)
    AND w.workspace = %(workspace)s AND m.revision <> w.revision;

-- name: since
SELECT
    m.id, m.type, m.scope, m.scope_id, m.agent, m.confidence, m.importance, m.trust,
    m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.superseded_by IS NOT NULL,
    m.forgotten, m.session, m.ordinal, m.speaker, array_send(t.terms), halfvec_send(v.vector)
FROM tacit.memories AS m
JOIN tacit.texts AS t ON t.workspace = m.workspace AND t.row = m.row
LEFT JOIN tacit.vectors AS v
    ON v.workspace = m.workspace AND v.model = %(model)s AND v.row = m.row
WHERE m.workspace = %(workspace)s AND m.revision > %(revision)s
ORDER BY m.row;

-- name: page
SELECT
    m.id, m.type, m.scope, m.scope_id, m.agent, m.confidence, m.importance, m.trust,
    m.updated_at, m.valid_from, m.valid_to, m.expires_at, m.superseded_by IS NOT NULL,
    m.forgotten, m.session, m.ordinal, m.speaker, array_send(t.terms), halfvec_send(v.vector),
    m.row
FROM tacit.memories AS m
JOIN tacit.texts AS t ON t.workspace = m.workspace AND t.row = m.row
LEFT JOIN tacit.vectors AS v
    ON v.workspace = m.workspace AND v.model = %(model)s AND v.row = m.row
WHERE m.workspace = %(workspace)s AND m.row > %(after)s
ORDER BY m.row LIMIT %(limit)s;

-- name: removed
SELECT id FROM tacit.removals WHERE workspace = %(workspace)s AND revision > %(revision)s;
