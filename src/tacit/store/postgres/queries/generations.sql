-- name: all
SELECT m.name, m.dims, m.revision, g.state, g.served
FROM tacit.generations AS g JOIN tacit.models AS m ON m.id = g.model
WHERE g.workspace = %(workspace)s ORDER BY g.served DESC, g.model;

-- name: put
INSERT INTO tacit.generations (workspace, model, state, served)
SELECT %(workspace)s, id, %(state)s, %(served)s FROM tacit.models
WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
ON CONFLICT (workspace, model) DO UPDATE SET state = excluded.state, served = excluded.served;
