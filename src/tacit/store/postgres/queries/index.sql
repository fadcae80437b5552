-- Workspace and model are written into these queries, since an index of one workspace is
-- considered only where the planner can see that nothing else is asked for.

-- name: columns
m.id, m.type, m.scope, m.scope_id, m.agent, m.confidence, m.importance, m.trust, m.updated_at,
m.valid_from, m.valid_to, m.expires_at, m.superseded_by IS NOT NULL, m.forgotten, m.session,
m.ordinal, m.speaker

-- name: commonness
SELECT term, documents FROM tacit.lexicon
WHERE workspace = {workspace} AND term = ANY(%(codes)s);

-- name: uncounted
-- Terms that came after the census are rare enough to be counted now.
SELECT asked.term, (
    SELECT count(*) FROM (
        SELECT 1 FROM tacit.texts AS t
        WHERE t.workspace = {workspace} AND t.terms @> ARRAY[asked.term] LIMIT %(limit)s
    ) AS held
) FROM unnest(%(codes)s) AS asked (term);

-- name: steer
-- Rows of one workspace are reached by its indexes, whatever reading them elsewhere would cost.
SELECT set_config('random_page_cost', '1.1', true),
    set_config('max_parallel_workers_per_gather', '0', true),
    set_config('hnsw.iterative_scan', 'strict_order', true),
    set_config('hnsw.ef_search', %(breadth)s, true);

-- name: session_words
SELECT session, words FROM tacit.session_lengths
WHERE workspace = {workspace} AND session = ANY(%(sessions)s);

-- name: holding
SELECT m.id, m.session, array_send(t.terms)
FROM tacit.texts AS t
JOIN tacit.memories AS m ON m.workspace = t.workspace AND m.row = t.row
WHERE t.workspace = {workspace} AND m.workspace = {workspace} AND t.terms && %(codes)s
    AND {filters};

-- name: nearest
SELECT m.id FROM tacit.vectors AS v
JOIN tacit.memories AS m ON m.workspace = v.workspace AND m.row = v.row
WHERE v.workspace = {workspace} AND v.model = {model} AND m.workspace = {workspace}
    AND {filters}
ORDER BY v.vector::halfvec({dims}) <=> %(vector)s::halfvec({dims}) LIMIT %(limit)s;

-- name: these
WITH given AS MATERIALIZED (
    SELECT row, session, ordinal FROM tacit.memories
    WHERE workspace = {workspace} AND id = ANY(%(ids)s)
), chosen AS (
    SELECT row FROM given
    UNION
    SELECT beside.row FROM given JOIN tacit.memories AS beside
        ON beside.workspace = {workspace} AND beside.session = given.session
        AND beside.ordinal BETWEEN given.ordinal - %(places)s AND given.ordinal + %(places)s
)
SELECT {columns}, array_send(t.terms), halfvec_send(v.vector)
FROM chosen
JOIN tacit.memories AS m ON m.workspace = {workspace} AND m.row = chosen.row
JOIN tacit.texts AS t ON t.workspace = {workspace} AND t.row = chosen.row
LEFT JOIN tacit.vectors AS v
    ON v.workspace = {workspace} AND v.model = {model} AND v.row = chosen.row
ORDER BY m.row;
