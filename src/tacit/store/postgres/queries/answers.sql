-- name: claim
INSERT INTO tacit.answers AS known (workspace, key, fingerprint, at, status, body)
VALUES (%(workspace)s, %(key)s, %(fingerprint)s, %(at)s, NULL, %(body)s)
ON CONFLICT (workspace, key) DO UPDATE SET at = excluded.at
WHERE known.status IS NULL AND known.at < %(abandoned_before)s
    AND known.fingerprint = excluded.fingerprint
RETURNING 1;

-- name: get
SELECT key, fingerprint, at, status, body FROM tacit.answers
WHERE workspace = %(workspace)s AND key = %(key)s;

-- name: finish
UPDATE tacit.answers SET status = %(status)s, body = %(body)s
WHERE workspace = %(workspace)s AND key = %(key)s AND status IS NULL;

-- name: release
DELETE FROM tacit.answers
WHERE workspace = %(workspace)s AND key = %(key)s AND status IS NULL;

-- name: blank
UPDATE tacit.answers SET body = %(body)s
WHERE workspace = %(workspace)s AND status IS NOT NULL AND body <> %(body)s;

-- name: prune
DELETE FROM tacit.answers WHERE workspace = %(workspace)s AND at < %(before)s RETURNING 1;
