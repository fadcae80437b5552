-- name: put
INSERT INTO tacit.receipts (workspace, id, session, turn, at, body)
VALUES (%(workspace)s, %(id)s, %(session)s, %(turn)s, %(at)s, %(body)s)
ON CONFLICT (workspace, id) DO UPDATE SET
    session = excluded.session, turn = excluded.turn, at = excluded.at, body = excluded.body;

-- name: get
SELECT body FROM tacit.receipts WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: recent
SELECT body FROM tacit.receipts
WHERE workspace = %(workspace)s AND id < %(after)s ORDER BY id DESC LIMIT %(limit)s;

-- name: recent_of
SELECT body FROM tacit.receipts
WHERE workspace = %(workspace)s AND session = %(session)s AND id < %(after)s
ORDER BY id DESC LIMIT %(limit)s;

-- name: scan
SELECT body FROM tacit.receipts
WHERE workspace = %(workspace)s AND id > %(after)s ORDER BY id LIMIT %(limit)s;

-- name: prune
DELETE FROM tacit.receipts AS r
WHERE r.workspace = %(workspace)s AND r.at < %(before)s AND EXISTS (
    SELECT 1 FROM tacit.receipts AS later
    WHERE later.workspace = %(workspace)s AND later.session = r.session AND later.id > r.id
) RETURNING 1;

-- name: drop
DELETE FROM tacit.receipts
WHERE workspace = %(workspace)s AND id = ANY(%(ids)s) RETURNING 1;

-- name: open
INSERT INTO tacit.open_turns (workspace, session, id, block, standing_block, body)
VALUES (%(workspace)s, %(session)s, %(id)s, %(block)s, %(standing_block)s, %(body)s);

-- name: opened
SELECT body FROM tacit.open_turns
WHERE workspace = %(workspace)s AND session = %(session)s ORDER BY id;

-- name: opening
SELECT body FROM tacit.open_turns WHERE workspace = %(workspace)s AND id = %(id)s;

-- name: showing
SELECT body FROM tacit.open_turns
WHERE workspace = %(workspace)s
    AND (block = ANY(%(ids)s::text[]) OR standing_block = ANY(%(ids)s::text[]))
ORDER BY session, id;

-- name: all_opened
SELECT body FROM tacit.open_turns WHERE workspace = %(workspace)s ORDER BY session, id;

-- name: scan_opened
SELECT body FROM tacit.open_turns
WHERE workspace = %(workspace)s AND (session, id) > (%(session)s, %(id)s)
ORDER BY session, id LIMIT %(limit)s;

-- name: close
DELETE FROM tacit.open_turns
WHERE workspace = %(workspace)s AND session = %(session)s AND id = %(id)s RETURNING 1;

-- name: recent_reached
SELECT body FROM tacit.receipts AS r
WHERE workspace = %(workspace)s AND id < %(after)s
    AND NOT EXISTS (
        SELECT 1 FROM tacit.participants AS p
        WHERE p.workspace = r.workspace AND p.session = r.session
            AND (p.agent <> coalesce(%(agent)s::text, p.agent) AND (p.took_turn OR p.agent <> '')
                OR p.user_name <> coalesce(%(user)s::text, p.user_name)
                    AND (p.took_turn OR p.user_name <> '')))
    AND EXISTS (
        SELECT 1 FROM tacit.participants AS p
        WHERE p.workspace = r.workspace AND p.session = r.session
            AND p.agent = coalesce(%(agent)s::text, p.agent))
    AND EXISTS (
        SELECT 1 FROM tacit.participants AS p
        WHERE p.workspace = r.workspace AND p.session = r.session
            AND p.user_name = coalesce(%(user)s::text, p.user_name))
ORDER BY id DESC LIMIT %(limit)s;
