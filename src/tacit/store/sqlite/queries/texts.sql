-- name: put
INSERT OR REPLACE INTO texts (workspace, row, terms)
SELECT workspace, row, :terms FROM memories WHERE workspace = :workspace AND id = :id;

-- name: of
SELECT m.id, t.terms FROM memories AS m
JOIN texts AS t ON t.workspace = m.workspace AND t.row = m.row
WHERE m.workspace = :workspace AND m.id IN (SELECT value FROM json_each(:ids));

-- name: count
SELECT count(*) FROM texts WHERE workspace = :workspace;

-- name: strays
SELECT (SELECT count(*) FROM memories) - (SELECT count(*) FROM texts);

-- name: clear
DELETE FROM texts;

-- name: contents
SELECT row, workspace, content, origin, key FROM memories WHERE row > :after ORDER BY row LIMIT :limit;

-- name: put_row
INSERT INTO texts (workspace, row, terms) VALUES (:workspace, :row, :terms);

-- name: touch_everything
UPDATE workspaces SET revision = revision + 1;

-- name: mark_everything
UPDATE memories SET revision = (SELECT revision FROM workspaces WHERE id = memories.workspace);

-- name: version
SELECT value FROM properties WHERE name = 'analysis_version';

-- name: made_by
INSERT OR REPLACE INTO properties (name, value) VALUES ('analysis_version', :version);
