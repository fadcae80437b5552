-- name: of
SELECT session, agent, user_name, took_turn FROM participants
WHERE workspace = :workspace AND session = :session ORDER BY agent, user_name;

-- name: put
INSERT INTO participants (workspace, session, agent, user_name, took_turn)
VALUES (:workspace, :session, :agent, :user, :took_turn)
ON CONFLICT (workspace, session, agent, user_name) DO UPDATE SET took_turn = 1
WHERE excluded.took_turn AND NOT took_turn;

-- name: release
DELETE FROM participants
WHERE workspace = :workspace AND session = :session AND agent = :agent AND user_name = :user
    AND NOT took_turn
    AND NOT EXISTS (
        SELECT 1 FROM open_turns AS o
        WHERE o.workspace = participants.workspace AND o.session = participants.session)
    AND NOT EXISTS (
        SELECT 1 FROM variables AS v
        WHERE v.workspace = participants.workspace AND v.session = participants.session);

-- name: clear
DELETE FROM participants WHERE workspace = :workspace AND session = :session;

-- name: scan
SELECT session, agent, user_name, took_turn FROM participants
WHERE workspace = :workspace AND (session, agent, user_name) > (:session, :agent, :user)
ORDER BY session, agent, user_name LIMIT :limit;
