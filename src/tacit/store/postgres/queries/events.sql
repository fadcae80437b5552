-- name: append
WITH counted AS (
    UPDATE tacit.workspaces SET events = %(last)s WHERE workspace = %(workspace)s
)
INSERT INTO tacit.events (workspace, number, at, kind, data)
SELECT %(workspace)s, event.* FROM unnest(
    %(number)s::bigint[], %(at)s::bigint[], %(kind)s::text[], %(data)s::json[]
) AS event;

-- name: after
SELECT number, at, kind, data::text FROM tacit.events
WHERE workspace = %(workspace)s AND number > %(number)s ORDER BY number LIMIT %(limit)s;

-- name: last
SELECT events FROM tacit.workspaces WHERE workspace = %(workspace)s;

-- name: first
SELECT coalesce(min(number), 0) FROM tacit.events WHERE workspace = %(workspace)s;

-- name: prune
DELETE FROM tacit.events WHERE workspace = %(workspace)s AND number <= (
    SELECT events FROM tacit.workspaces WHERE workspace = %(workspace)s
) - %(keep)s RETURNING 1;
