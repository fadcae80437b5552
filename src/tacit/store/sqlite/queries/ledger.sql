-- name: add
INSERT OR REPLACE INTO ledger (workspace, session, turn, memory, content_hash, block, pruned_at)
VALUES (:workspace, :session, :turn, :memory, :content_hash, :block, :pruned_at);

-- name: of
SELECT session, turn, memory, content_hash, block, pruned_at FROM ledger
WHERE workspace = :workspace AND session = :session ORDER BY turn, memory;

-- name: bound
SELECT session, turn, memory, content_hash, block, pruned_at FROM ledger
WHERE workspace = :workspace AND session = :session AND pruned_at IS NULL ORDER BY turn, memory;

-- name: release
UPDATE ledger SET pruned_at = :at
WHERE workspace = :workspace AND session = :session AND pruned_at IS NULL
    AND (:blocks IS NULL OR block IN (SELECT value FROM json_each(:blocks)));

-- name: remove
DELETE FROM ledger INDEXED BY ledger_by_memory WHERE workspace = :workspace AND memory = :memory;

-- name: clear
DELETE FROM ledger WHERE workspace = :workspace AND session = :session;

-- name: scan
SELECT session, turn, memory, content_hash, block, pruned_at FROM ledger
WHERE workspace = :workspace AND (session, turn, memory) > (:session, :turn, :memory)
ORDER BY session, turn, memory LIMIT :limit;
