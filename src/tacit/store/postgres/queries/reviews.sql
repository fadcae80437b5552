-- name: add
INSERT INTO tacit.reviews (workspace, id, memory, action, change, actor, created_at)
VALUES (
    %(workspace)s, %(id)s, %(memory)s, %(action)s, %(change)s, %(actor)s, %(created_at)s
);

-- name: same
SELECT id, memory, action, change, actor, created_at FROM tacit.reviews
WHERE workspace = %(workspace)s AND memory = %(memory)s AND action = %(action)s
    AND change = %(change)s AND actor = %(actor)s;

-- name: get
SELECT id, memory, action, change, actor, created_at FROM tacit.reviews
WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: about
SELECT id, memory, action, change, actor, created_at FROM tacit.reviews
WHERE workspace = %(workspace)s AND memory = %(memory)s ORDER BY id;

-- name: pending
SELECT id, memory, action, change, actor, created_at FROM tacit.reviews
WHERE workspace = %(workspace)s AND id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: drop
DELETE FROM tacit.reviews WHERE workspace = %(workspace)s AND id = %(id)s RETURNING 1;

-- name: remove
DELETE FROM tacit.reviews WHERE workspace = %(workspace)s AND memory = %(memory)s RETURNING 1;

-- name: count
SELECT count(*) FROM tacit.reviews WHERE workspace = %(workspace)s;
