-- name: add
INSERT INTO tacit.ledger (workspace, session, turn, memory, content_hash, block, pruned_at)
VALUES (
    %(workspace)s, %(session)s, %(turn)s, %(memory)s, %(content_hash)s, %(block)s, %(pruned_at)s
)
ON CONFLICT (workspace, session, turn, memory) DO UPDATE SET
    content_hash = excluded.content_hash, block = excluded.block, pruned_at = excluded.pruned_at;

-- name: of
SELECT session, turn, memory, content_hash, block, pruned_at FROM tacit.ledger
WHERE workspace = %(workspace)s AND session = %(session)s ORDER BY turn, memory;

-- name: release
UPDATE tacit.ledger SET pruned_at = %(at)s
WHERE workspace = %(workspace)s AND session = %(session)s AND pruned_at IS NULL
    AND (%(blocks)s::text[] IS NULL OR block = ANY(%(blocks)s::text[]))
RETURNING 1;

-- name: remove
DELETE FROM tacit.ledger WHERE workspace = %(workspace)s AND memory = %(memory)s RETURNING 1;

-- name: scan
SELECT session, turn, memory, content_hash, block, pruned_at FROM tacit.ledger
WHERE workspace = %(workspace)s
    AND (session, turn, memory) > (%(session)s, %(turn)s, %(memory)s)
ORDER BY session, turn, memory LIMIT %(limit)s;
