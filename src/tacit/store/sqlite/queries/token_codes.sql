-- name: put
-- Nothing if one of the memories is gone.
INSERT INTO token_codes (workspace, model, row, older, newer, codes)
SELECT m.workspace, :model, m.row, o.row, n.row, :codes
FROM memories AS m
LEFT JOIN memories AS o ON o.workspace = m.workspace AND o.id = :older
LEFT JOIN memories AS n ON n.workspace = m.workspace AND n.id = :newer
WHERE m.workspace = :workspace AND m.id = :id
    AND (:older IS NULL OR o.row IS NOT NULL) AND (:newer IS NULL OR n.row IS NOT NULL)
ON CONFLICT (workspace, model, row)
DO UPDATE SET older = excluded.older, newer = excluded.newer, codes = excluded.codes;

-- name: get
SELECT m.id, t.codes FROM memories AS m
JOIN token_codes AS t ON t.workspace = m.workspace AND t.model = :model AND t.row = m.row
WHERE m.workspace = :workspace AND m.id IN (SELECT value FROM json_each(:ids));

-- name: discard
DELETE FROM token_codes
WHERE row = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id)
    OR older = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id)
    OR newer = (SELECT row FROM memories WHERE workspace = :workspace AND id = :id)
RETURNING row;

-- name: discard_after
-- It is in the context of those that see it unless they see two others after it. All who see it see
-- those of the same owner and agent, so that nothing behind the second of these is read.
DELETE FROM token_codes WHERE row IN (
    SELECT m.row FROM memories AS m INDEXED BY memories_by_place
    WHERE m.workspace = :workspace AND m.origin ->> 'session' = :session
        AND m.origin ->> 'ordinal' > :ordinal
        AND m.origin ->> 'ordinal' <= coalesce((
            SELECT s.origin ->> 'ordinal' FROM memories AS s INDEXED BY memories_by_place
            WHERE s.workspace = :workspace AND s.origin ->> 'session' = :session
                AND s.origin ->> 'ordinal' >= :ordinal
                AND (s.origin ->> 'ordinal' > :ordinal OR s.id > :id) AND NOT s.forgotten
                AND s.scope = :scope AND s.scope_id = :scope_id AND s.agent IS :agent
            ORDER BY s.origin ->> 'ordinal' LIMIT 1 OFFSET 1
        ), 9223372036854775807)
        AND (m.scope = :scope AND m.scope_id = :scope_id OR :scope IN ('project', 'org'))
        AND (:agent IS NULL OR m.agent = :agent)
        AND NOT EXISTS (
            SELECT 1 FROM memories AS b INDEXED BY memories_by_place
            WHERE b.workspace = :workspace AND b.origin ->> 'session' = :session
                AND b.origin ->> 'ordinal' >= :ordinal
                AND b.origin ->> 'ordinal' < m.origin ->> 'ordinal'
                AND (b.origin ->> 'ordinal' > :ordinal OR b.id > :id) AND NOT b.forgotten
                AND (b.scope = m.scope AND b.scope_id = m.scope_id OR b.scope IN ('project', 'org'))
                AND (b.agent IS NULL OR b.agent = m.agent)
            LIMIT 1 OFFSET 1
        )
) RETURNING row;

-- name: lacking
SELECT count(*) FROM memories AS m
WHERE workspace = :workspace AND NOT forgotten AND superseded_by IS NULL AND NOT EXISTS (
    SELECT 1 FROM token_codes AS t
    WHERE t.workspace = m.workspace AND t.model = :model AND t.row = m.row
);

-- name: missing
SELECT id FROM memories AS m
WHERE workspace = :workspace AND NOT forgotten AND superseded_by IS NULL AND NOT EXISTS (
    SELECT 1 FROM token_codes AS t
    WHERE t.workspace = m.workspace AND t.model = :model AND t.row = m.row
) ORDER BY id DESC LIMIT :limit;

-- name: missing_since
SELECT id FROM memories AS m INDEXED BY memories_by_revision
WHERE workspace = :workspace AND revision > :since
    AND NOT forgotten AND superseded_by IS NULL AND NOT EXISTS (
        SELECT 1 FROM token_codes AS t
        WHERE t.workspace = m.workspace AND t.model = :model AND t.row = m.row
    ) ORDER BY id DESC LIMIT :limit;

-- name: count
SELECT name || ' (' || dims || ', ' || revision || ')', count(*) FROM token_codes
JOIN models ON models.id = token_codes.model
WHERE workspace = :workspace GROUP BY models.id ORDER BY 1;

-- name: models
SELECT name, dims, revision FROM models
WHERE EXISTS (SELECT 1 FROM token_codes WHERE workspace = :workspace AND model = models.id)
ORDER BY name, dims, revision;

-- name: drop
DELETE FROM token_codes
WHERE workspace = :workspace AND model = :model AND row IN (
    SELECT row FROM token_codes WHERE workspace = :workspace AND model = :model LIMIT :limit
) RETURNING row;
