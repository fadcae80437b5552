-- name: number
SELECT id FROM tacit.models
WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s;

-- name: add
-- Looked for first: a conflict would use up a number and wait for whoever adds the same model.
INSERT INTO tacit.models (name, dims, revision)
SELECT %(name)s, %(dims)s, %(revision)s
WHERE NOT EXISTS (
    SELECT 1 FROM tacit.models
    WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
)
ON CONFLICT DO NOTHING;
