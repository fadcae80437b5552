-- name: put
INSERT INTO tacit.blocks (
    workspace, session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules
) VALUES (
    %(workspace)s, %(session)s, %(id)s, %(turn)s, %(text)s, %(anchor)s, %(ordinal)s,
    %(memories)s, %(made_in)s, %(speaker)s, %(state)s,
    %(standing_rules)s
)
ON CONFLICT (workspace, session, id) DO UPDATE SET
    turn = excluded.turn, text = excluded.text, anchor = excluded.anchor,
    ordinal = excluded.ordinal, memories = excluded.memories, speaker = excluded.speaker,
    state = excluded.state, standing_rules = excluded.standing_rules;

-- name: of
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules
FROM tacit.blocks WHERE workspace = %(workspace)s AND session = %(session)s ORDER BY turn, standing_rules DESC, id;

-- name: standing
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules
FROM tacit.blocks
WHERE workspace = %(workspace)s AND session = %(session)s
    AND (state = 'live' OR id = ANY(%(ids)s::text[]))
ORDER BY turn, standing_rules DESC, id;

-- name: scan
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules
FROM tacit.blocks WHERE workspace = %(workspace)s AND (session, id) > (%(session)s, %(id)s)
ORDER BY session, id LIMIT %(limit)s;

-- name: made
SELECT session, id, turn, text, anchor, ordinal, memories, made_in, speaker, state, standing_rules
FROM tacit.blocks WHERE workspace = %(workspace)s AND id = ANY(%(ids)s::text[])
ORDER BY session, id;

-- name: blank
UPDATE tacit.blocks SET text = '', memories = '{}', state = 'dropped'
WHERE workspace = %(workspace)s AND memories && %(ids)s::text[] RETURNING 1;

-- name: clear
DELETE FROM tacit.blocks
WHERE workspace = %(workspace)s AND session = %(session)s RETURNING 1;
