-- name: claim
INSERT INTO answers (workspace, key, fingerprint, at, status, body)
VALUES (:workspace, :key, :fingerprint, :at, NULL, :body)
ON CONFLICT (workspace, key) DO UPDATE SET at = excluded.at
WHERE status IS NULL AND at < :abandoned_before AND fingerprint = excluded.fingerprint
RETURNING 1;

-- name: get
SELECT key, fingerprint, at, status, body FROM answers WHERE workspace = :workspace AND key = :key;

-- name: finish
UPDATE answers SET status = :status, body = :body
WHERE workspace = :workspace AND key = :key AND status IS NULL;

-- name: release
DELETE FROM answers WHERE workspace = :workspace AND key = :key AND status IS NULL;

-- name: blank
UPDATE answers SET body = :body
WHERE workspace = :workspace AND status IS NOT NULL AND body <> :body;

-- name: prune
DELETE FROM answers WHERE workspace = :workspace AND at < :before;
