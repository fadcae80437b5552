-- name: of
SELECT session, agent, user_name, took_turn FROM tacit.participants
WHERE workspace = %(workspace)s AND session = %(session)s ORDER BY agent, user_name;

-- name: put
INSERT INTO tacit.participants AS p (workspace, session, agent, user_name, took_turn)
VALUES (%(workspace)s, %(session)s, %(agent)s, %(user)s, %(took_turn)s)
ON CONFLICT (workspace, session, agent, user_name) DO UPDATE SET took_turn = true
WHERE excluded.took_turn AND NOT p.took_turn;

-- name: release
DELETE FROM tacit.participants
WHERE workspace = %(workspace)s AND session = %(session)s
    AND agent = %(agent)s AND user_name = %(user)s
    AND NOT took_turn
    AND NOT EXISTS (
        SELECT 1 FROM tacit.open_turns AS o
        WHERE o.workspace = %(workspace)s AND o.session = %(session)s)
    AND NOT EXISTS (
        SELECT 1 FROM tacit.variables AS v
        WHERE v.workspace = %(workspace)s AND v.session = %(session)s)
RETURNING 1;

-- name: clear
DELETE FROM tacit.participants
WHERE workspace = %(workspace)s AND session = %(session)s RETURNING 1;

-- name: scan
SELECT session, agent, user_name, took_turn FROM tacit.participants
WHERE workspace = %(workspace)s
    AND (session, agent, user_name) > (%(session)s, %(agent)s, %(user)s)
ORDER BY session, agent, user_name LIMIT %(limit)s;
