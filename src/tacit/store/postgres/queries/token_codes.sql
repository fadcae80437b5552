-- name: put
-- Nothing if one of the memories is gone.
INSERT INTO tacit.token_codes (workspace, model, row, older, newer, codes)
SELECT m.workspace, made_by.id, m.row, o.row, n.row, %(codes)s
FROM tacit.memories AS m
JOIN tacit.models AS made_by
    ON made_by.name = %(name)s AND made_by.dims = %(dims)s AND made_by.revision = %(revision)s
LEFT JOIN tacit.memories AS o ON o.workspace = %(workspace)s AND o.id = %(older)s
LEFT JOIN tacit.memories AS n ON n.workspace = %(workspace)s AND n.id = %(newer)s
WHERE m.workspace = %(workspace)s AND m.id = %(id)s
    AND (%(older)s::text IS NULL OR o.row IS NOT NULL)
    AND (%(newer)s::text IS NULL OR n.row IS NOT NULL)
ON CONFLICT (workspace, model, row)
DO UPDATE SET older = excluded.older, newer = excluded.newer, codes = excluded.codes;

-- name: get
-- Each is looked up by its keys: a plan of joins may read the codes of the whole workspace.
SELECT asked.id, t.codes FROM unnest(%(ids)s::text[]) AS asked (id)
CROSS JOIN LATERAL (
    SELECT row FROM tacit.memories
    WHERE workspace = %(workspace)s AND id = asked.id COLLATE "C" LIMIT 1
) AS m
CROSS JOIN LATERAL (
    SELECT codes FROM tacit.token_codes
    WHERE workspace = %(workspace)s AND row = m.row AND model = (
        SELECT id FROM tacit.models
        WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
    ) LIMIT 1
) AS t;

-- name: discard
WITH dropped AS (
    DELETE FROM tacit.token_codes
    WHERE workspace = %(workspace)s AND (
        row = (SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(id)s)
        OR older = (SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(id)s)
        OR newer = (SELECT row FROM tacit.memories WHERE workspace = %(workspace)s AND id = %(id)s)
    ) RETURNING row
)
UPDATE tacit.memories
SET revision = (SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s)
WHERE workspace = %(workspace)s AND row = ANY(ARRAY(SELECT row FROM dropped));

-- name: discard_after
-- It is in the context of those that see it unless they see two others after it. All who see it see
-- those of the same owner and agent, so that nothing behind the second of these is read. The array
-- and OFFSET 0 keep the planner, which cannot know how few they are, to the indexes.
WITH dropped AS (
DELETE FROM tacit.token_codes AS t
WHERE t.workspace = %(workspace)s AND t.row = ANY(ARRAY(
    SELECT follower.row
    FROM json_to_recordset(%(rows)s) AS new (
        id text COLLATE "C", session text, ordinal bigint, scope text, scope_id text, agent text
    )
    CROSS JOIN LATERAL (
        SELECT m.row FROM tacit.memories AS m
        WHERE m.workspace = %(workspace)s AND m.session = new.session AND m.ordinal > new.ordinal
            AND m.ordinal <= coalesce((
                SELECT s.ordinal FROM tacit.memories AS s
                WHERE s.workspace = %(workspace)s AND s.session = new.session
                    AND s.ordinal >= new.ordinal
                    AND (s.ordinal > new.ordinal OR s.id > new.id) AND NOT s.forgotten
                    AND s.scope = new.scope AND s.scope_id = new.scope_id
                    AND s.agent IS NOT DISTINCT FROM new.agent
                ORDER BY s.ordinal LIMIT 1 OFFSET 1
            ), 9223372036854775807)
            AND (m.scope = new.scope AND m.scope_id = new.scope_id OR new.scope IN ('project', 'org'))
            AND (new.agent IS NULL OR m.agent = new.agent)
            AND NOT EXISTS (
                SELECT 1 FROM tacit.memories AS b
                WHERE b.workspace = %(workspace)s AND b.session = new.session
                    AND b.ordinal >= new.ordinal AND b.ordinal < m.ordinal
                    AND (b.ordinal > new.ordinal OR b.id > new.id) AND NOT b.forgotten
                    AND (
                        b.scope = m.scope AND b.scope_id = m.scope_id
                        OR b.scope IN ('project', 'org')
                    )
                    AND (b.agent IS NULL OR b.agent = m.agent)
                LIMIT 1 OFFSET 1
            )
        OFFSET 0
    ) AS follower
)) RETURNING t.row
)
UPDATE tacit.memories
SET revision = (SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s)
WHERE workspace = %(workspace)s AND row = ANY(ARRAY(SELECT row FROM dropped));

-- name: lacking
SELECT count(*) FROM tacit.memories AS m
WHERE workspace = %(workspace)s AND NOT forgotten AND superseded_by IS NULL AND NOT EXISTS (
    SELECT 1 FROM tacit.token_codes AS t
    WHERE t.workspace = %(workspace)s AND t.row = m.row AND t.model = (
        SELECT id FROM tacit.models
        WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
    )
);

-- name: missing
SELECT id FROM tacit.memories AS m
WHERE workspace = %(workspace)s AND NOT forgotten AND superseded_by IS NULL AND NOT EXISTS (
    SELECT 1 FROM tacit.token_codes AS t
    WHERE t.workspace = %(workspace)s AND t.row = m.row AND t.model = (
        SELECT id FROM tacit.models
        WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
    )
) ORDER BY id DESC LIMIT %(limit)s;

-- name: missing_since
-- OFFSET 0 keeps the planner to the index of revisions; that of ids may lead through everything.
SELECT m.id FROM (
    SELECT id, row FROM tacit.memories
    WHERE workspace = %(workspace)s AND revision > %(since)s
        AND NOT forgotten AND superseded_by IS NULL
    OFFSET 0
) AS m
WHERE NOT EXISTS (
    SELECT 1 FROM tacit.token_codes AS t
    WHERE t.workspace = %(workspace)s AND t.row = m.row AND t.model = (
        SELECT id FROM tacit.models
        WHERE name = %(name)s AND dims = %(dims)s AND revision = %(revision)s
    )
) ORDER BY m.id DESC LIMIT %(limit)s;

-- name: count
SELECT made_by.name || ' (' || made_by.dims || ', ' || made_by.revision || ')', count(*)
FROM tacit.token_codes AS t JOIN tacit.models AS made_by ON made_by.id = t.model
WHERE t.workspace = %(workspace)s GROUP BY made_by.id ORDER BY 1;

-- name: models
SELECT name, dims, revision FROM tacit.models AS made_by
WHERE EXISTS (
    SELECT 1 FROM tacit.token_codes WHERE workspace = %(workspace)s AND model = made_by.id
) ORDER BY name, dims, revision;

-- name: drop
WITH dropped AS (
    DELETE FROM tacit.token_codes
    WHERE workspace = %(workspace)s AND (model, row) IN (
        SELECT t.model, t.row FROM tacit.token_codes AS t
        JOIN tacit.models AS made_by ON made_by.id = t.model
        WHERE t.workspace = %(workspace)s AND made_by.name = %(name)s
            AND made_by.dims = %(dims)s AND made_by.revision = %(revision)s
        LIMIT %(limit)s
    ) RETURNING row
)
UPDATE tacit.memories
SET revision = (SELECT revision FROM tacit.workspaces WHERE workspace = %(workspace)s)
WHERE workspace = %(workspace)s AND row = ANY(ARRAY(SELECT row FROM dropped)) RETURNING row;
