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
-- Step by step: how few memories share a claim, the planner cannot know.
WITH pairs AS MATERIALIZED (
    SELECT m.id, other.row
    FROM tacit.memories AS m
    JOIN tacit.claims AS own ON own.workspace = m.workspace AND own.row = m.row
    JOIN tacit.claims AS other
        ON other.workspace = own.workspace AND other.claim = own.claim AND other.row <> own.row
    WHERE m.workspace = %(workspace)s AND m.id = ANY(%(ids)s)
)
SELECT DISTINCT pairs.id, n.id
FROM pairs
CROSS JOIN LATERAL (
    SELECT id FROM tacit.memories
    WHERE workspace = %(workspace)s AND row = pairs.row
        AND superseded_by IS NULL AND NOT forgotten
    LIMIT 1
) AS n
ORDER BY pairs.id, n.id LIMIT %(limit)s;
