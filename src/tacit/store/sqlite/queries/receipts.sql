-- name: put
INSERT OR REPLACE INTO receipts (workspace, id, session, turn, at, body)
VALUES (:workspace, :id, :session, :turn, :at, :body);

-- name: get
SELECT body FROM receipts WHERE workspace = :workspace AND id = :id;

-- name: recent
SELECT body FROM receipts
WHERE workspace = :workspace AND id < :after ORDER BY id DESC LIMIT :limit;

-- name: recent_of
SELECT body FROM receipts INDEXED BY receipts_by_session
WHERE workspace = :workspace AND session = :session AND id < :after
ORDER BY id DESC LIMIT :limit;

-- name: prune
DELETE FROM receipts AS r WHERE workspace = :workspace AND at < :before AND EXISTS (
    SELECT 1 FROM receipts AS later
    WHERE later.workspace = r.workspace AND later.session = r.session AND later.id > r.id
);

-- name: drop
DELETE FROM receipts
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- name: count
SELECT count(*) FROM receipts WHERE workspace = :workspace;

-- name: open
INSERT INTO open_turns (workspace, session, id, block, standing_block, body)
VALUES (:workspace, :session, :id, :block, :standing_block, :body);

-- name: opened
SELECT body FROM open_turns WHERE workspace = :workspace AND session = :session ORDER BY id;

-- name: opening
SELECT body FROM open_turns WHERE workspace = :workspace AND id = :id;

-- name: showing
SELECT body FROM (
    SELECT session, id, body FROM open_turns INDEXED BY open_turns_by_block
    WHERE workspace = :workspace AND block IN (SELECT value FROM json_each(:ids))
    UNION
    SELECT session, id, body FROM open_turns INDEXED BY open_turns_by_standing_block
    WHERE workspace = :workspace AND standing_block IN (SELECT value FROM json_each(:ids))
) ORDER BY session, id;

-- name: all_opened
SELECT body FROM open_turns WHERE workspace = :workspace ORDER BY session, id;

-- name: close
DELETE FROM open_turns WHERE workspace = :workspace AND session = :session AND id = :id;

-- name: scan
SELECT body FROM receipts WHERE workspace = :workspace AND id > :after ORDER BY id LIMIT :limit;

-- name: scan_opened
SELECT body FROM open_turns WHERE workspace = :workspace AND (session, id) > (:session, :id)
ORDER BY session, id LIMIT :limit;

-- name: recent_reached
SELECT body FROM receipts AS r
WHERE workspace = :workspace AND id < :after
    AND NOT EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.workspace = r.workspace AND p.session = r.session
            AND (p.agent <> coalesce(:agent, p.agent) AND (p.took_turn OR p.agent <> '')
                OR p.user_name <> coalesce(:user, p.user_name)
                    AND (p.took_turn OR p.user_name <> '')))
    AND EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.workspace = r.workspace AND p.session = r.session
            AND p.agent = coalesce(:agent, p.agent))
    AND EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.workspace = r.workspace AND p.session = r.session
            AND p.user_name = coalesce(:user, p.user_name))
ORDER BY id DESC LIMIT :limit;
