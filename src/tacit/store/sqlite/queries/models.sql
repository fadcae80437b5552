-- name: number
SELECT id FROM models WHERE name = :name AND dims = :dims AND revision = :revision;

-- name: add
INSERT INTO models (name, dims, revision) VALUES (:name, :dims, :revision) ON CONFLICT DO NOTHING;
