-- How the later of two statements stands to the earlier one: memories of a workspace, or its
-- episodes, which are rows of another one. A comparison goes with either of them.

CREATE TABLE tacit.comparisons (
    workspace bigint NOT NULL,
    earlier text COLLATE "C" NOT NULL,
    later text COLLATE "C" NOT NULL,
    earlier_place bigint NOT NULL,
    later_place bigint NOT NULL,
    score double precision NOT NULL,
    likeness double precision NOT NULL,
    by_model boolean NOT NULL,
    PRIMARY KEY (workspace, earlier, later),
    FOREIGN KEY (earlier_place, earlier)
        REFERENCES tacit.memories (workspace, id) ON DELETE CASCADE,
    FOREIGN KEY (later_place, later) REFERENCES tacit.memories (workspace, id) ON DELETE CASCADE
) {partitioned};

CREATE INDEX comparisons_by_later ON tacit.comparisons (workspace, later);
CREATE INDEX comparisons_with_earlier ON tacit.comparisons (earlier_place, earlier);
CREATE INDEX comparisons_with_later ON tacit.comparisons (later_place, later);

-- The statements that wait to be compared.
CREATE TABLE tacit.uncompared (
    workspace bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, id),
    FOREIGN KEY (workspace, id) REFERENCES tacit.memories (workspace, id) ON DELETE CASCADE
) {partitioned};

-- What was replaced or forgotten without a person, and what expired, latest first.
CREATE INDEX audit_by_itself ON tacit.audit (workspace, at, id)
WHERE action IN ('supersede', 'forget') AND actor NOT IN ('user', 'operator');
CREATE INDEX memories_expiring ON tacit.memories (workspace, expires_at, id)
WHERE expires_at IS NOT NULL;
