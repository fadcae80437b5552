-- name: put
INSERT INTO tacit.texts (workspace, row, terms)
SELECT %(workspace)s, m.row, new.terms
FROM json_to_recordset(%(rows)s) AS new (id text COLLATE "C", terms bigint[])
CROSS JOIN LATERAL (
    SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = new.id LIMIT 1
) AS m
ON CONFLICT (workspace, row) DO UPDATE SET terms = excluded.terms;

-- name: of
SELECT m.id, array_send(t.terms) FROM tacit.memories AS m
JOIN tacit.texts AS t ON t.workspace = m.workspace AND t.row = m.row
WHERE m.workspace = %(workspace)s AND m.id = ANY(%(ids)s)
ORDER BY m.id;

-- name: count
SELECT count(*) FROM tacit.texts WHERE workspace = %(workspace)s;
