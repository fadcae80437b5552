-- name: clear_of
DELETE FROM tacit.claims AS c USING tacit.memories AS m
WHERE m.workspace = %(workspace)s AND m.id = %(id)s
    AND c.workspace = %(workspace)s AND c.row = m.row;

-- name: put
INSERT INTO tacit.claims (workspace, claim, row)
SELECT %(workspace)s, claim, m.row
FROM json_to_recordset(%(rows)s) AS new (id text COLLATE "C", claims bigint[])
CROSS JOIN LATERAL (
    SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = new.id LIMIT 1
) AS m
CROSS JOIN unnest(new.claims) AS claim
ON CONFLICT DO NOTHING;

-- name: rivals
SELECT DISTINCT m.id, n.id FROM tacit.memories AS m
JOIN tacit.claims AS own ON own.workspace = m.workspace AND own.row = m.row
JOIN tacit.claims AS other
    ON other.workspace = own.workspace AND other.claim = own.claim AND other.row <> own.row
JOIN tacit.memories AS n ON n.workspace = other.workspace AND n.row = other.row
WHERE m.workspace = %(workspace)s AND m.id = ANY(%(ids)s)
    AND n.superseded_by IS NULL AND NOT n.forgotten
ORDER BY m.id, n.id LIMIT %(limit)s;
