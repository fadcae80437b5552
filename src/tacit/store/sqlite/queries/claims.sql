-- name: clear_of
DELETE FROM claims
WHERE row = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id);

-- name: put
INSERT OR IGNORE INTO claims (workspace, claim, row)
SELECT m.workspace, c.value, m.row FROM memories AS m, json_each(:claims) AS c
WHERE m.workspace = :workspace AND m.id = :id;

-- name: rivals
SELECT DISTINCT m.id, n.id FROM memories AS m
JOIN claims AS own ON own.row = m.row
JOIN claims AS other
    ON other.workspace = own.workspace AND other.claim = own.claim AND other.row != own.row
JOIN memories AS n ON n.row = other.row
WHERE m.workspace = :workspace AND m.id IN (SELECT value FROM json_each(:ids))
    AND n.superseded_by IS NULL AND NOT n.forgotten
ORDER BY m.id, n.id LIMIT :limit;

-- name: shared
WITH page AS MATERIALIZED (
    SELECT claim FROM claims WHERE workspace = :workspace AND claim >= :start
    GROUP BY claim HAVING count(*) > 1 ORDER BY claim LIMIT :limit
)
SELECT page.claim, m.id, m.scope, m.scope_id FROM page
JOIN claims AS c ON c.workspace = :workspace AND c.claim = page.claim
LEFT JOIN memories AS m ON m.row = c.row AND m.superseded_by IS NULL AND NOT m.forgotten
ORDER BY page.claim, m.id;

-- name: shared_keys
SELECT key, json_group_array(id) FROM memories
WHERE workspace = :workspace AND key IS NOT NULL AND superseded_by IS NULL AND NOT forgotten
GROUP BY key, scope, scope_id HAVING count(*) > 1
ORDER BY key, scope, scope_id;

-- name: clear
DELETE FROM claims;

-- name: put_row
INSERT OR IGNORE INTO claims (workspace, claim, row) VALUES (:workspace, :claim, :row);
