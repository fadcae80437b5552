-- name: append
INSERT INTO audit (workspace, id, memory, action, actor, at, subject, old, new)
VALUES (:workspace, :id, :memory, :action, :actor, :at, :subject, :old, :new)
ON CONFLICT DO NOTHING;

-- name: of
-- The planner takes the order of ids for more than the memory, and reads every row of a workspace.
SELECT id, memory, action, actor, at, subject, old, new FROM audit INDEXED BY audit_by_memory
WHERE workspace = :workspace AND memory = :memory ORDER BY id;

-- name: scan
SELECT id, memory, action, actor, at, subject, old, new FROM audit
WHERE workspace = :workspace AND id > :after ORDER BY id LIMIT :limit;

-- name: get
SELECT id, memory, action, actor, at, subject, old, new FROM audit
WHERE workspace = :workspace AND id = :id;

-- name: automatic
SELECT id, memory, action, actor, at, subject, old, new FROM audit INDEXED BY audit_by_itself
WHERE workspace = :workspace AND new IS NOT NULL
    AND action IN ('supersede', 'forget') AND actor NOT IN ('user', 'operator')
    AND (at, id) < (:at, :id)
ORDER BY at DESC, id DESC LIMIT :limit;

-- name: blank
UPDATE audit INDEXED BY audit_by_memory SET old = NULL, new = NULL
WHERE workspace = :workspace AND memory = :memory AND (old IS NOT NULL OR new IS NOT NULL);

-- name: count
SELECT count(*) FROM audit WHERE workspace = :workspace;
