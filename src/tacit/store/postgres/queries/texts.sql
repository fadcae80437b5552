-- name: put
INSERT INTO tacit.texts (workspace, row, terms)
SELECT workspace, row, %(terms)s::bigint[] FROM tacit.memories
WHERE workspace = %(workspace)s AND id = %(id)s
ON CONFLICT (workspace, row) DO UPDATE SET terms = excluded.terms;

-- name: of
SELECT m.id, array_send(t.terms) FROM tacit.memories AS m
JOIN tacit.texts AS t ON t.workspace = m.workspace AND t.row = m.row
WHERE m.workspace = %(workspace)s AND m.id = ANY(%(ids)s);

-- name: count
SELECT count(*) FROM tacit.texts WHERE workspace = %(workspace)s;
