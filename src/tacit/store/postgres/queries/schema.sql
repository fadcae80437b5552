-- name: tables
SELECT count(*), coalesce(bool_or(c.relname = 'properties'), false)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'tacit' AND c.relkind IN ('r', 'p');

-- name: partitioned
SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'tacit' AND c.relkind = 'p' ORDER BY c.relname;

-- name: row_security
-- The tables that belong to workspaces, and whether each hides other workspaces' rows.
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity,
    EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'tacit' AND c.relkind IN ('r', 'p')
    AND c.relname NOT IN ('properties', 'workspaces', 'models', 'keys')
ORDER BY c.relname;

-- name: bypasses_row_security
SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user;

-- name: pgvector
SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector';

-- name: property
SELECT value FROM tacit.properties WHERE name = %(name)s;

-- name: set_property
INSERT INTO tacit.properties (name, value) VALUES (%(name)s, %(value)s)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: size
SELECT pg_database_size(current_database());

-- name: workspaces
SELECT name FROM tacit.workspaces ORDER BY name;

-- name: lock_workspace
SELECT name, events FROM tacit.workspaces WHERE workspace = %(workspace)s FOR UPDATE;

-- name: add_workspace
INSERT INTO tacit.workspaces (workspace, name, analysis)
VALUES (%(workspace)s, %(name)s, %(analysis)s) ON CONFLICT DO NOTHING;

-- name: other_analyses
SELECT name, analysis FROM tacit.workspaces WHERE analysis <> %(analysis)s ORDER BY name;

-- name: settle_analysis
UPDATE tacit.workspaces SET analysis = %(analysis)s, revision = revision + 1
WHERE workspace = %(workspace)s;

-- name: touch_memories
UPDATE tacit.memories AS m SET revision = w.revision FROM tacit.workspaces AS w
WHERE m.workspace = %(workspace)s AND w.workspace = %(workspace)s;
