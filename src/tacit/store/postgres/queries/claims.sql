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

-- name: shared
WITH page AS MATERIALIZED (
    SELECT claim FROM tacit.claims WHERE workspace = %(workspace)s AND claim >= %(start)s
    GROUP BY claim HAVING count(*) > 1 ORDER BY claim LIMIT %(limit)s
)
SELECT page.claim, m.id, m.scope, m.scope_id
FROM page
JOIN tacit.claims AS c ON c.workspace = %(workspace)s AND c.claim = page.claim
LEFT JOIN LATERAL (
    SELECT id, scope, scope_id FROM tacit.memories
    WHERE workspace = %(workspace)s AND row = c.row AND superseded_by IS NULL AND NOT forgotten
    LIMIT 1
) AS m ON true
ORDER BY page.claim, m.id;

-- name: shared_keys
SELECT key, array_agg(id ORDER BY id) FROM tacit.memories
WHERE workspace = %(workspace)s AND key IS NOT NULL AND superseded_by IS NULL AND NOT forgotten
GROUP BY key, scope, scope_id HAVING count(*) > 1
ORDER BY key COLLATE "C", scope COLLATE "C", scope_id COLLATE "C";
