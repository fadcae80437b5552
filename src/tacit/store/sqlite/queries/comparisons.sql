-- name: put
-- Nothing if one of the texts is gone.
INSERT INTO comparisons
    (workspace, earlier, later, earlier_place, later_place, score, likeness, by_model)
SELECT :workspace, e.id, l.id, e.workspace, l.workspace, :score, :likeness, :by_model
FROM memories AS e JOIN memories AS l
WHERE e.workspace = (SELECT id FROM workspaces WHERE name = :earlier_place) AND e.id = :earlier
    AND l.workspace = (SELECT id FROM workspaces WHERE name = :later_place) AND l.id = :later;

-- name: remove
DELETE FROM comparisons WHERE workspace = :workspace
    AND (earlier = :one AND later = :other OR earlier = :other AND later = :one);

-- name: clear
DELETE FROM comparisons WHERE workspace = :workspace AND (earlier = :id OR later = :id);

-- name: of
SELECT earlier, later, score, likeness, by_model FROM comparisons
WHERE workspace = :workspace AND earlier IN (SELECT value FROM json_each(:ids))
UNION
SELECT earlier, later, score, likeness, by_model FROM comparisons
WHERE workspace = :workspace AND later IN (SELECT value FROM json_each(:ids))
ORDER BY 1, 2;
