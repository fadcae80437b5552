-- name: put
INSERT INTO tacit.vectors (workspace, model, row, vector)
SELECT %(workspace)s, made_by.id, m.row, new.vector
FROM tacit.models AS made_by
CROSS JOIN unnest(%(ids)s::text[], %(vectors)b::halfvec[]) AS new (id, vector)
CROSS JOIN LATERAL (
    SELECT row FROM tacit.memories
    WHERE workspace = %(workspace)s AND id = new.id COLLATE "C" LIMIT 1
) AS m
WHERE made_by.name = %(name)s AND made_by.dims = %(dims)s AND made_by.revision = %(revision)s
ON CONFLICT (workspace, model, row) DO UPDATE SET vector = excluded.vector;

-- name: get
SELECT m.id, halfvec_send(v.vector) FROM tacit.memories AS m
JOIN tacit.vectors AS v ON v.workspace = m.workspace AND v.row = m.row
JOIN tacit.models AS made_by ON made_by.id = v.model
WHERE m.workspace = %(workspace)s AND m.id = ANY(%(ids)s)
    AND made_by.name = %(name)s AND made_by.dims = %(dims)s AND made_by.revision = %(revision)s
ORDER BY m.id;

-- name: discard
DELETE FROM tacit.vectors AS v USING tacit.memories AS m
WHERE m.workspace = %(workspace)s AND m.id = %(id)s
    AND v.workspace = %(workspace)s AND v.row = m.row;

-- name: models
SELECT name, dims, revision FROM tacit.models AS made_by
WHERE EXISTS (
    SELECT 1 FROM tacit.vectors WHERE workspace = %(workspace)s AND model = made_by.id
) ORDER BY name, dims, revision;

-- name: lacking
SELECT (SELECT count(*) FROM tacit.memories WHERE workspace = %(workspace)s) - (
    SELECT count(*) FROM tacit.vectors WHERE workspace = %(workspace)s AND model = (
        SELECT id FROM tacit.models
        WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
    )
);

-- name: missing
SELECT id FROM tacit.memories AS m
WHERE workspace = %(workspace)s AND NOT EXISTS (
    SELECT 1 FROM tacit.vectors AS v
    WHERE v.workspace = %(workspace)s AND v.row = m.row AND v.model = (
        SELECT id FROM tacit.models
        WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
    )
) ORDER BY id LIMIT %(limit)s;

-- name: scan
SELECT m.id, halfvec_send(v.vector) FROM tacit.memories AS m
JOIN tacit.vectors AS v ON v.workspace = m.workspace AND v.row = m.row
WHERE m.workspace = %(workspace)s AND m.id > %(after)s AND v.model = (
    SELECT id FROM tacit.models
    WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
) ORDER BY m.id LIMIT %(limit)s;

-- name: count
SELECT made_by.name || ' (' || made_by.dims || ', ' || made_by.revision || ')', count(*)
FROM tacit.vectors AS v JOIN tacit.models AS made_by ON made_by.id = v.model
WHERE v.workspace = %(workspace)s GROUP BY made_by.id ORDER BY 1;

-- name: drop
WITH dropped AS (
    DELETE FROM tacit.vectors
    WHERE workspace = %(workspace)s AND (model, row) IN (
        SELECT v.model, v.row FROM tacit.vectors AS v
        JOIN tacit.models AS made_by ON made_by.id = v.model
        WHERE v.workspace = %(workspace)s AND made_by.name = %(name)s
            AND made_by.dims = %(dims)s AND made_by.revision = %(revision)s
        LIMIT %(limit)s
    ) RETURNING row
)
UPDATE tacit.memories
SET revision = (SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s)
WHERE workspace = %(workspace)s AND row = ANY(ARRAY(SELECT row FROM dropped)) RETURNING row;
