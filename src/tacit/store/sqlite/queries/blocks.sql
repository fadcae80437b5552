-- name: put
INSERT INTO blocks (workspace, session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules)
VALUES (
    :workspace, :session, :id, :turn, :text, :anchor, :ordinal, :memories, :made_in, :speaker,
    :state, :standing_rules
)
ON CONFLICT (workspace, session, id) DO UPDATE SET
    turn = excluded.turn, text = excluded.text, anchor = excluded.anchor,
    ordinal = excluded.ordinal, memories = excluded.memories, speaker = excluded.speaker,
    state = excluded.state, standing_rules = excluded.standing_rules;

-- name: of
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules FROM blocks
WHERE workspace = :workspace AND session = :session ORDER BY turn, standing_rules DESC, id;

-- name: standing
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules FROM blocks
WHERE workspace = :workspace AND session = :session
    AND (state = 'live' OR id IN (SELECT value FROM json_each(:ids)))
ORDER BY turn, standing_rules DESC, id;

-- name: made
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules
FROM blocks INDEXED BY blocks_by_id
WHERE workspace = :workspace AND id IN (SELECT value FROM json_each(:ids))
ORDER BY session, id;

-- name: blank
UPDATE blocks SET text = '', memories = '[]', state = 'dropped'
WHERE workspace = :workspace AND EXISTS (
    SELECT 1 FROM json_each(blocks.memories) WHERE value IN (SELECT value FROM json_each(:ids))
);

-- name: clear
DELETE FROM blocks WHERE workspace = :workspace AND session = :session;

-- name: scan
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules FROM blocks
WHERE workspace = :workspace AND (session, id) > (:session, :id)
ORDER BY session, id LIMIT :limit;
