-- name: add
INSERT INTO tacit.heard (workspace, id, session, at, stage, due, tries, problem, body)
VALUES (
    %(workspace)s, %(id)s, %(session)s, %(at)s, %(stage)s, %(due)s, %(tries)s, %(problem)s, %(body)s
)
ON CONFLICT (workspace, id) DO NOTHING;

-- name: put
INSERT INTO tacit.heard (workspace, id, session, at, stage, due, tries, problem, body)
VALUES (
    %(workspace)s, %(id)s, %(session)s, %(at)s, %(stage)s, %(due)s, %(tries)s, %(problem)s, %(body)s
)
ON CONFLICT (workspace, id) DO UPDATE SET
    session = excluded.session, at = excluded.at, stage = excluded.stage, due = excluded.due,
    tries = excluded.tries, problem = excluded.problem, body = excluded.body;

-- name: get
SELECT body FROM tacit.heard WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: at_stage
SELECT stage, due, tries, problem, body FROM tacit.heard
WHERE workspace = %(workspace)s AND stage = %(stage)s AND id > %(after)s
ORDER BY id LIMIT %(limit)s;

-- name: add_tries
UPDATE tacit.heard SET tries = tries + %(count)s
WHERE workspace = %(workspace)s AND id = ANY(%(ids)s);

-- name: set_aside
UPDATE tacit.heard SET stage = 'set_aside', problem = %(problem)s
WHERE workspace = %(workspace)s AND id = ANY(%(ids)s);

-- name: retry
UPDATE tacit.heard SET stage = 'fresh', tries = 0, problem = NULL
WHERE workspace = %(workspace)s AND stage = 'set_aside' AND id = ANY(%(ids)s) RETURNING id;

-- name: keep_fresh
UPDATE tacit.heard SET stage = 'read', tries = 0
WHERE workspace = %(workspace)s AND stage = 'fresh' AND id = ANY(%(ids)s) RETURNING id;

-- name: drop_fresh
DELETE FROM tacit.heard
WHERE workspace = %(workspace)s AND stage = 'fresh' AND id = ANY(%(ids)s) RETURNING id;

-- name: waiting
SELECT stage, due, tries, problem, body FROM tacit.heard
WHERE workspace = %(workspace)s AND session = %(session)s AND stage = 'read'
ORDER BY id LIMIT %(limit)s;

-- name: hasten
UPDATE tacit.heard SET due = true
WHERE workspace = %(workspace)s AND session = %(session)s AND NOT due
    AND stage <> 'set_aside'
RETURNING 1;

-- name: ripe
SELECT session FROM tacit.heard WHERE workspace = %(workspace)s AND stage = 'read'
GROUP BY session HAVING bool_or(due) OR count(*) >= %(least)s
ORDER BY min(id) LIMIT %(limit)s;

-- name: drop
DELETE FROM tacit.heard WHERE workspace = %(workspace)s AND id = ANY(%(ids)s) RETURNING id;

-- name: prune
DELETE FROM tacit.heard WHERE workspace = %(workspace)s AND at < %(before)s RETURNING 1;

-- name: scan
SELECT stage, due, tries, problem, body FROM tacit.heard
WHERE workspace = %(workspace)s AND id > %(after)s ORDER BY id LIMIT %(limit)s;
