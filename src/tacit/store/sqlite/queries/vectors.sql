-- name: put
INSERT OR REPLACE INTO vectors (workspace, model, row, vector)
SELECT workspace, :model, row, :vector FROM memories WHERE workspace = :workspace AND id = :id;

-- name: get
SELECT m.id, v.vector FROM memories AS m
JOIN vectors AS v ON v.workspace = m.workspace AND v.row = m.row AND v.model = :model
WHERE m.workspace = :workspace AND m.id IN (SELECT value FROM json_each(:ids));

-- name: discard
DELETE FROM vectors
WHERE row = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id);

-- name: models
SELECT name, dims, revision FROM models
WHERE EXISTS (SELECT 1 FROM vectors WHERE workspace = :workspace AND model = models.id)
ORDER BY name, dims, revision;

-- name: lacking
SELECT (SELECT count(*) FROM memories WHERE workspace = :workspace)
    - (SELECT count(*) FROM vectors WHERE workspace = :workspace AND model = :model);

-- name: missing
SELECT id FROM memories AS m
WHERE workspace = :workspace AND NOT EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.workspace = m.workspace AND v.model = :model AND v.row = m.row
) ORDER BY id LIMIT :limit;

-- name: count
SELECT name || ' (' || dims || ', ' || revision || ')', count(*) FROM vectors
JOIN models ON models.id = vectors.model
WHERE workspace = :workspace GROUP BY models.id ORDER BY 1;

-- name: scan
SELECT m.id, v.vector FROM memories AS m
CROSS JOIN vectors AS v ON v.workspace = m.workspace AND v.model = :model AND v.row = m.row
WHERE m.workspace = :workspace AND m.id > :after ORDER BY m.id LIMIT :limit;

-- name: drop
DELETE FROM vectors
WHERE workspace = :workspace AND model = :model AND row IN (
    SELECT row FROM vectors WHERE workspace = :workspace AND model = :model LIMIT :limit
) RETURNING row;
