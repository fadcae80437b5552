-- name: record
INSERT INTO tacit.audit (workspace, id, memory, action, actor, at, subject, old, new)
VALUES (
    %(workspace)s, %(id)s, %(memory)s, %(action)s, %(actor)s, %(at)s, %(subject)s, %(old)s, %(new)s
);

-- name: append
INSERT INTO tacit.audit (workspace, id, memory, action, actor, at, subject, old, new)
SELECT %(workspace)s, entry.* FROM unnest(
    %(id)s::text[], %(memory)s::text[], %(action)s::text[], %(actor)s::text[], %(at)s::bigint[],
    %(subject)s::text[], %(old)s::json[], %(new)s::json[]
) AS entry
ON CONFLICT DO NOTHING RETURNING 1;

-- name: of
SELECT id, memory, action, actor, at, subject, old::text, new::text FROM tacit.audit
WHERE workspace = %(workspace)s AND memory = %(memory)s ORDER BY id;

-- name: scan
SELECT id, memory, action, actor, at, subject, old::text, new::text FROM tacit.audit
WHERE workspace = %(workspace)s AND id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: blank
UPDATE tacit.audit SET old = NULL, new = NULL
WHERE workspace = %(workspace)s AND memory = %(memory)s AND (old IS NOT NULL OR new IS NOT NULL)
RETURNING 1;

-- name: count
SELECT count(*) FROM tacit.audit WHERE workspace = %(workspace)s;
