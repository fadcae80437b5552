-- name: get
SELECT c.revision, c.documents, c.words, c.sessions, c.session_words, c.vectors, c.mean::text
FROM tacit.censuses AS c
WHERE c.workspace = %(workspace)s AND (%(model)s::int IS NULL OR c.model = %(model)s::int)
ORDER BY c.revision DESC LIMIT 1;

-- name: sample
SELECT vector::text FROM tacit.vectors
WHERE workspace = %(workspace)s AND model = %(model)s
LIMIT 200;

-- name: lock
SELECT pg_advisory_lock(x'54434943'::bigint # %(workspace)s);

-- name: unlock
SELECT pg_advisory_unlock(x'54434943'::bigint # %(workspace)s);

-- name: clear
DELETE FROM tacit.censuses WHERE workspace = %(workspace)s;

-- name: clear_lexicon
DELETE FROM tacit.lexicon WHERE workspace = %(workspace)s;

-- name: clear_sessions
DELETE FROM tacit.session_lengths WHERE workspace = %(workspace)s;

-- name: take_lexicon
INSERT INTO tacit.lexicon (workspace, term, documents)
SELECT %(workspace)s, term, count(DISTINCT row)
FROM tacit.texts, unnest(terms) AS term
WHERE workspace = %(workspace)s GROUP BY term;

-- name: take_sessions
INSERT INTO tacit.session_lengths (workspace, session, words)
SELECT %(workspace)s, m.session, sum(cardinality(t.terms))
FROM tacit.memories AS m
JOIN tacit.texts AS t ON t.workspace = m.workspace AND t.row = m.row
WHERE m.workspace = %(workspace)s AND m.session IS NOT NULL GROUP BY m.session;

-- name: take
INSERT INTO tacit.censuses (
    workspace, model, revision, documents, words, sessions, session_words, vectors, mean
)
SELECT %(workspace)s, %(model)s::int, w.revision, t.documents, t.words, s.sessions, s.words,
    v.vectors, v.mean
FROM tacit.workspaces AS w,
    (
        SELECT count(*) AS documents, coalesce(sum(cardinality(terms)), 0) AS words
        FROM tacit.texts WHERE workspace = %(workspace)s
    ) AS t,
    (
        SELECT count(*) AS sessions, coalesce(sum(words), 0) AS words
        FROM tacit.session_lengths WHERE workspace = %(workspace)s
    ) AS s,
    (
        SELECT count(*) AS vectors, avg(vector)::vector AS mean
        FROM tacit.vectors WHERE workspace = %(workspace)s AND model = %(model)s
    ) AS v
WHERE w.workspace = %(workspace)s;

-- name: memories_up_to
SELECT count(*) FROM (
    SELECT 1 FROM tacit.memories WHERE workspace = %(workspace)s LIMIT %(limit)s
) AS counted;

-- name: changed_since
SELECT count(*) FROM (
    SELECT 1 FROM tacit.memories
    WHERE workspace = %(workspace)s AND revision > %(revision)s LIMIT %(limit)s
) AS counted;

-- name: models_in_use
-- The model that serves comes first, then those that served before or are being filled.
SELECT m.id, m.dims, coalesce(g.state, 'serving'), EXISTS (
    SELECT 1 FROM tacit.censuses AS c WHERE c.workspace = %(workspace)s AND c.model = m.id
)
FROM tacit.models AS m
LEFT JOIN tacit.generations AS g ON g.workspace = %(workspace)s AND g.model = m.id
WHERE g.state IS DISTINCT FROM 'dropped' AND EXISTS (
    SELECT 1 FROM tacit.vectors AS v WHERE v.workspace = %(workspace)s AND v.model = m.id
) ORDER BY g.state = 'serving' DESC NULLS LAST, m.id DESC;

-- name: partition
SELECT tableoid::regclass::text FROM {table} WHERE workspace = %(workspace)s LIMIT 1;

-- name: unseen
-- Parts of tables that hold a workspace and have grown much since the planner looked at them.
SELECT c.oid::regclass::text
FROM pg_class AS c
WHERE c.oid IN (
    (SELECT tableoid FROM tacit.memories WHERE workspace = %(workspace)s LIMIT 1),
    (SELECT tableoid FROM tacit.texts WHERE workspace = %(workspace)s LIMIT 1),
    (SELECT tableoid FROM tacit.vectors WHERE workspace = %(workspace)s LIMIT 1),
    (SELECT tableoid FROM tacit.token_codes WHERE workspace = %(workspace)s LIMIT 1),
    (SELECT tableoid FROM tacit.claims WHERE workspace = %(workspace)s LIMIT 1)
) AND pg_relation_size(c.oid) / current_setting('block_size')::int > 2 * greatest(c.relpages, 0) + 100;

-- name: index_validity
SELECT i.indisvalid FROM pg_index AS i
JOIN pg_class AS c ON c.oid = i.indexrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'tacit' AND c.relname = %(name)s;

-- name: indexes_like
SELECT indexname FROM pg_indexes WHERE schemaname = 'tacit' AND indexname LIKE %(pattern)s;
