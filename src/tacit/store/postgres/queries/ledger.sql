-- name: add
INSERT INTO tacit.ledger (workspace, session, turn, memory, content_hash, block, pruned_at)
SELECT %(workspace)s, entry.* FROM unnest(
    %(session)s::text[], %(turn)s::bigint[], %(memory)s::text[], %(content_hash)s::bytea[],
    %(block)s::text[], %(pruned_at)s::bigint[]
) AS entry
ON CONFLICT (workspace, session, turn, memory) DO UPDATE SET
    content_hash = excluded.content_hash, block = excluded.block, pruned_at = excluded.pruned_at;

-- name: of
SELECT session, turn, memory, content_hash, block, pruned_at FROM tacit.ledger
WHERE workspace = %(workspace)s AND session = %(session)s ORDER BY turn, memory;

-- name: bound
SELECT session, turn, memory, content_hash, block, pruned_at FROM tacit.ledger
WHERE workspace = %(workspace)s AND session = %(session)s AND pruned_at IS NULL
ORDER BY turn, memory;

-- name: release
UPDATE tacit.ledger SET pruned_at = %(at)s
WHERE workspace = %(workspace)s AND session = %(session)s AND pruned_at IS NULL
    AND (%(blocks)s::text[] IS NULL OR block = ANY(%(blocks)s::text[]))
RETURNING 1;

-- name: remove
DELETE FROM tacit.ledger WHERE workspace = %(workspace)s AND memory = %(memory)s RETURNING 1;

-- name: clear
DELETE FROM tacit.ledger
WHERE workspace = %(workspace)s AND session = %(session)s RETURNING 1;

-- name: scan
SELECT session, turn, memory, content_hash, block, pruned_at FROM tacit.ledger
WHERE workspace = %(workspace)s
    AND (session, turn, memory) > (%(session)s, %(turn)s, %(memory)s)
ORDER BY session, turn, memory LIMIT %(limit)s;
