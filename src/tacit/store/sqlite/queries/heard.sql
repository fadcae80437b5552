-- name: add
INSERT INTO heard (workspace, id, session, at, stage, due, tries, problem, body)
VALUES (:workspace, :id, :session, :at, :stage, :due, :tries, :problem, :body)
ON CONFLICT (workspace, id) DO NOTHING;

-- name: put
INSERT OR REPLACE INTO heard (workspace, id, session, at, stage, due, tries, problem, body)
VALUES (:workspace, :id, :session, :at, :stage, :due, :tries, :problem, :body);

-- name: get
SELECT body FROM heard WHERE workspace = :workspace AND id = :id;

-- name: at_stage
SELECT stage, due, tries, problem, body FROM heard INDEXED BY heard_by_stage
WHERE workspace = :workspace AND stage = :stage AND id > :after ORDER BY id LIMIT :limit;

-- name: add_tries
UPDATE heard SET tries = tries + :count
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: set_aside
UPDATE heard SET stage = 'set_aside', problem = :problem
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: retry
UPDATE heard SET stage = 'fresh', tries = 0, problem = NULL
WHERE workspace = :workspace AND stage = 'set_aside'
    AND id IN (SELECT value FROM json_each(:ids))
RETURNING id;

-- name: keep_fresh
UPDATE heard SET stage = 'read', tries = 0
WHERE workspace = :workspace AND stage = 'fresh' AND id IN (SELECT value FROM json_each(:ids))
RETURNING id;

-- name: drop_fresh
DELETE FROM heard
WHERE workspace = :workspace AND stage = 'fresh' AND id IN (SELECT value FROM json_each(:ids))
RETURNING id;

-- name: waiting
SELECT stage, due, tries, problem, body FROM heard INDEXED BY heard_by_session
WHERE workspace = :workspace AND session = :session AND stage = 'read' ORDER BY id LIMIT :limit;

-- name: hasten
UPDATE heard INDEXED BY heard_by_session SET due = 1
WHERE workspace = :workspace AND session = :session AND NOT due AND stage <> 'set_aside';

-- name: ripe
SELECT session FROM heard WHERE workspace = :workspace AND stage = 'read'
GROUP BY session HAVING max(due) OR count(*) >= :least ORDER BY min(id) LIMIT :limit;

-- name: drop
DELETE FROM heard WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids))
RETURNING id;

-- name: prune
DELETE FROM heard WHERE workspace = :workspace AND at < :before;

-- name: scan
SELECT stage, due, tries, problem, body FROM heard
WHERE workspace = :workspace AND id > :after ORDER BY id LIMIT :limit;
