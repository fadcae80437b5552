-- name: server
SELECT pg_is_in_recovery(), current_setting('max_connections')::int,
    (SELECT sum(numbackends) FROM pg_stat_database)::int;

-- name: pgvector
SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector';

-- name: is_ours
SELECT to_regclass('tacit.properties') IS NOT NULL;

-- name: schema_version
SELECT value FROM tacit.properties WHERE name = 'schema_version';

-- name: may_make
-- Whether the tables are there, or may be made.
SELECT to_regclass('tacit.properties') IS NOT NULL
    OR has_database_privilege(current_database(), 'CREATE')
    OR EXISTS (
        SELECT 1 FROM pg_namespace
        WHERE nspname = 'tacit' AND has_schema_privilege(oid, 'CREATE')
    );

-- name: missing_rights
SELECT DISTINCT needed.act
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
    unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed (act)
WHERE n.nspname = 'tacit' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT has_table_privilege(c.oid, needed.act)
ORDER BY needed.act;

-- name: workspaces
SELECT workspace, name FROM tacit.workspaces ORDER BY name LIMIT %(limit)s;
