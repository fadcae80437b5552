-- name: add
INSERT INTO tacit.marks (workspace, memory, id, terms, at, actor, agent, user_name)
VALUES (
    %(workspace)s, %(memory)s, %(id)s, %(terms)s, %(at)s, %(actor)s, %(agent)s, %(user_name)s
)
ON CONFLICT (workspace, memory, id) DO UPDATE
SET terms = excluded.terms, at = excluded.at, actor = excluded.actor,
    agent = excluded.agent, user_name = excluded.user_name;

-- name: get
SELECT id, memory, terms, at, actor, agent, user_name FROM tacit.marks
WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: remove
DELETE FROM tacit.marks
WHERE workspace = %(workspace)s AND memory = %(memory)s AND id = %(id)s;

-- name: of
SELECT id, memory, terms, at, actor, agent, user_name FROM tacit.marks
WHERE workspace = %(workspace)s AND memory = ANY(%(ids)s) ORDER BY memory, id;

-- name: scan
SELECT id, memory, terms, at, actor, agent, user_name FROM tacit.marks
WHERE workspace = %(workspace)s AND (memory, id) > (%(memory)s, %(id)s)
ORDER BY memory, id LIMIT %(limit)s;
