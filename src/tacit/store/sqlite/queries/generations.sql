-- name: all
SELECT m.name, m.dims, m.revision, g.state, g.served
FROM generations AS g JOIN models AS m ON m.id = g.model
WHERE g.workspace = :workspace ORDER BY g.served DESC, g.model;

-- name: put
INSERT INTO generations (workspace, model, state, served)
SELECT :workspace, id, :state, :served FROM models
WHERE name = :name AND dims = :dims AND revision = :revision
ON CONFLICT (workspace, model) DO UPDATE SET state = excluded.state, served = excluded.served;
