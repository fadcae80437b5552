-- name: get
SELECT source, target, relation, weight FROM associations
WHERE workspace = :workspace AND source = :source AND target = :target
    AND relation = :relation;

-- name: put
INSERT INTO associations (workspace, source, target, relation, weight)
VALUES (:workspace, :source, :target, :relation, :weight)
ON CONFLICT DO UPDATE SET weight = excluded.weight;

-- name: remove
DELETE FROM associations
WHERE workspace = :workspace AND source = :source AND target = :target
    AND relation = :relation;

-- name: of
SELECT a.source, a.target, a.relation, a.weight FROM associations AS a
JOIN memories AS other ON other.workspace = a.workspace
    AND other.id = CASE WHEN a.source = :id THEN a.target ELSE a.source END
WHERE a.workspace = :workspace AND (a.source = :id OR a.target = :id) AND NOT other.forgotten
ORDER BY a.source, a.target, a.relation;

-- name: of_relation
SELECT source, target, relation, weight FROM associations
WHERE workspace = :workspace AND relation = :relation
ORDER BY source, target;

-- name: scan
SELECT source, target, relation, weight FROM associations
WHERE workspace = :workspace AND (source, target, relation) > (:source, :target, :relation)
ORDER BY source, target, relation LIMIT :limit;

-- name: count
SELECT count(*) FROM associations WHERE workspace = :workspace;

-- name: clear_from
DELETE FROM associations WHERE workspace = :workspace AND source = :id;

-- name: clear_to
DELETE FROM associations INDEXED BY associations_by_target
WHERE workspace = :workspace AND target = :id;

-- name: within
WITH RECURSIVE reached (id, steps) AS (
    SELECT value, 0 FROM json_each(:ids) WHERE :depth > 0
    UNION
    SELECT a.target, r.steps + 1 FROM reached AS r
    JOIN associations AS a ON a.workspace = :workspace AND a.source = r.id
    WHERE r.steps + 1 < :depth AND a.relation IN (SELECT value FROM json_each(:relations))
    UNION
    SELECT a.source, r.steps + 1 FROM reached AS r
    JOIN associations AS a ON a.workspace = :workspace AND a.target = r.id
    WHERE r.steps + 1 < :depth AND a.relation IN (SELECT value FROM json_each(:relations))
)
SELECT source, target, relation, weight FROM associations
WHERE workspace = :workspace AND source IN (SELECT id FROM reached)
UNION
SELECT source, target, relation, weight FROM associations
WHERE workspace = :workspace AND target IN (SELECT id FROM reached)
ORDER BY 1, 2, 3;
