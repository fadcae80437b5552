-- name: get
SELECT host, path, claim, project, at FROM places
WHERE workspace = :workspace AND host = :host AND path = :path AND claim = :claim;

-- name: at
SELECT host, path, claim, project, at FROM places
WHERE workspace = :workspace AND host = :host AND path = :path ORDER BY claim;

-- name: of_project
SELECT host, path, claim, project, at FROM places
WHERE workspace = :workspace AND project = :project ORDER BY host, path, claim;

-- name: put
INSERT OR REPLACE INTO places (workspace, host, path, claim, project, at)
VALUES (:workspace, :host, :path, :claim, :project, :at);

-- name: remove
DELETE FROM places
WHERE workspace = :workspace AND host = :host AND path = :path AND claim = :claim;

-- name: scan
SELECT host, path, claim, project, at FROM places
WHERE workspace = :workspace AND (host, path, claim) > (:host, :path, :claim)
ORDER BY host, path, claim LIMIT :limit;
