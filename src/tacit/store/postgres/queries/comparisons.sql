-- name: put
INSERT INTO tacit.comparisons
    (workspace, earlier, later, earlier_place, later_place, score, likeness, by_model)
VALUES (
    %(workspace)s, %(earlier)s, %(later)s, %(earlier_place)s, %(later_place)s, %(score)s,
    %(likeness)s, %(by_model)s
);

-- name: remove
DELETE FROM tacit.comparisons WHERE workspace = %(workspace)s AND (
    earlier = %(one)s AND later = %(other)s OR earlier = %(other)s AND later = %(one)s
);

-- name: clear
DELETE FROM tacit.comparisons
WHERE workspace = %(workspace)s AND (earlier = %(id)s OR later = %(id)s) RETURNING 1;

-- name: of
SELECT earlier, later, score, likeness, by_model FROM tacit.comparisons
WHERE workspace = %(workspace)s AND earlier = ANY(%(ids)s::text[])
UNION
SELECT earlier, later, score, likeness, by_model FROM tacit.comparisons
WHERE workspace = %(workspace)s AND later = ANY(%(ids)s::text[])
ORDER BY 1, 2;
