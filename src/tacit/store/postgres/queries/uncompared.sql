-- name: add
INSERT INTO tacit.uncompared (workspace, id)
SELECT %(workspace)s, unnest(%(ids)s::text[]) ON CONFLICT DO NOTHING;

-- name: add_all
INSERT INTO tacit.uncompared (workspace, id)
SELECT workspace, id FROM tacit.memories
WHERE workspace = %(workspace)s AND NOT forgotten AND superseded_by IS NULL
ON CONFLICT DO NOTHING;

-- name: newest
SELECT id FROM tacit.uncompared
WHERE workspace = %(workspace)s AND (%(before)s::text IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(limit)s;

-- name: count
SELECT count(*) FROM tacit.uncompared WHERE workspace = %(workspace)s;

-- name: waiting
SELECT id FROM tacit.uncompared WHERE workspace = %(workspace)s AND id = ANY(%(ids)s::text[]);

-- name: remove
DELETE FROM tacit.uncompared WHERE workspace = %(workspace)s AND id = ANY(%(ids)s::text[]);
