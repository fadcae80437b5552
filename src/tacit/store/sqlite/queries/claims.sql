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

-- name: clear
DELETE FROM claims;

-- name: put_row
INSERT OR IGNORE INTO claims (workspace, claim, row) VALUES (:workspace, :claim, :row);
