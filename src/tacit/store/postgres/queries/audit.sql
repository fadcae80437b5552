-- name: record
INSERT INTO tacit.audit (workspace, id, memory, action, actor, at, subject, old, new)
SELECT
    %(workspace)s, entry.id, entry.memory, entry.action, entry.actor, entry.at, entry.subject,
    entry.old::json, entry.new::json
FROM json_to_recordset(%(rows)s) AS entry (
    id text, memory text, action text, actor text, at bigint, subject text, old text, new text
);

-- name: append
INSERT INTO tacit.audit (workspace, id, memory, action, actor, at, subject, old, new)
SELECT
    %(workspace)s, entry.id, entry.memory, entry.action, entry.actor, entry.at, entry.subject,
    entry.old::json, entry.new::json
FROM json_to_recordset(%(rows)s) AS entry (
    id text, memory text, action text, actor text, at bigint, subject text, old text, new text
)
ON CONFLICT DO NOTHING RETURNING 1;

-- name: of
SELECT id, memory, action, actor, at, subject, old::text, new::text FROM tacit.audit
WHERE workspace = %(workspace)s AND memory = %(memory)s ORDER BY id;

-- name: scan
SELECT id, memory, action, actor, at, subject, old::text, new::text FROM tacit.audit
WHERE workspace = %(workspace)s AND id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: get
SELECT id, memory, action, actor, at, subject, old::text, new::text FROM tacit.audit
WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: automatic
SELECT id, memory, action, actor, at, subject, old::text, new::text FROM tacit.audit
WHERE workspace = %(workspace)s AND new IS NOT NULL
    AND action IN ('supersede', 'forget') AND actor NOT IN ('user', 'operator')
    AND (at, id) < (%(at)s::bigint, %(id)s::text)
ORDER BY at DESC, id DESC LIMIT %(limit)s;

-- name: blank
UPDATE tacit.audit SET old = NULL, new = NULL
WHERE workspace = %(workspace)s AND memory = %(memory)s AND (old IS NOT NULL OR new IS NOT NULL)
RETURNING 1;

-- name: count
SELECT count(*) FROM tacit.audit WHERE workspace = %(workspace)s;
