-- name: get
SELECT source, target, relation, weight FROM tacit.associations
WHERE workspace = %(workspace)s AND source = %(source)s AND target = %(target)s
    AND relation = %(relation)s;

-- name: put
INSERT INTO tacit.associations (workspace, source, target, relation, weight)
VALUES (%(workspace)s, %(source)s, %(target)s, %(relation)s, %(weight)s)
ON CONFLICT (workspace, source, target, relation) DO UPDATE SET weight = excluded.weight;

-- name: remove
DELETE FROM tacit.associations
WHERE workspace = %(workspace)s AND source = %(source)s AND target = %(target)s
    AND relation = %(relation)s;

-- name: of
SELECT a.source, a.target, a.relation, a.weight FROM tacit.associations AS a
JOIN tacit.memories AS other ON other.workspace = a.workspace
    AND other.id = CASE WHEN a.source = %(id)s THEN a.target ELSE a.source END
WHERE a.workspace = %(workspace)s AND (a.source = %(id)s OR a.target = %(id)s)
    AND NOT other.forgotten
ORDER BY a.source, a.target, a.relation;

-- name: of_relation
SELECT source, target, relation, weight FROM tacit.associations
WHERE workspace = %(workspace)s AND relation = %(relation)s
ORDER BY source, target;

-- name: scan
SELECT source, target, relation, weight FROM tacit.associations
WHERE workspace = %(workspace)s
    AND (source, target, relation) > (%(source)s, %(target)s, %(relation)s)
ORDER BY source, target, relation LIMIT %(limit)s;

-- name: count
SELECT count(*) FROM tacit.associations WHERE workspace = %(workspace)s;

-- name: clear_from
DELETE FROM tacit.associations
WHERE workspace = %(workspace)s AND source = %(id)s RETURNING 1;

-- name: clear_to
DELETE FROM tacit.associations
WHERE workspace = %(workspace)s AND target = %(id)s RETURNING 1;

-- name: within
-- The planner cannot know how few are reached, so each of them looks its edges up.
WITH RECURSIVE reached (id, steps) AS (
    SELECT given.id COLLATE "C", 0 FROM unnest(%(ids)s::text[]) AS given (id)
    WHERE %(depth)s > 0
    UNION
    SELECT next.id, reached.steps + 1 FROM reached
    CROSS JOIN LATERAL (
        SELECT target AS id FROM tacit.associations
        WHERE workspace = %(workspace)s AND source = reached.id AND relation = ANY(%(relations)s)
        UNION ALL
        SELECT source FROM tacit.associations
        WHERE workspace = %(workspace)s AND target = reached.id AND relation = ANY(%(relations)s)
    ) AS next
    WHERE reached.steps + 1 < %(depth)s
)
SELECT DISTINCT edge.source, edge.target, edge.relation, edge.weight
FROM (SELECT DISTINCT id FROM reached) AS here
CROSS JOIN LATERAL (
    SELECT source, target, relation, weight FROM tacit.associations
    WHERE workspace = %(workspace)s AND source = here.id
    UNION ALL
    SELECT source, target, relation, weight FROM tacit.associations
    WHERE workspace = %(workspace)s AND target = here.id
) AS edge
ORDER BY edge.source, edge.target, edge.relation;
