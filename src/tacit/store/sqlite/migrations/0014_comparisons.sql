-- How the later of two statements stands to the earlier one: memories of a workspace, or its
-- episodes, which are rows of another one. A comparison goes with either of them.

CREATE TABLE comparisons (
    workspace INTEGER NOT NULL,
    earlier TEXT NOT NULL,
    later TEXT NOT NULL,
    earlier_place INTEGER NOT NULL,
    later_place INTEGER NOT NULL,
    score REAL NOT NULL,
    likeness REAL NOT NULL,
    by_model INTEGER NOT NULL,
    PRIMARY KEY (workspace, earlier, later),
    FOREIGN KEY (earlier_place, earlier) REFERENCES memories (workspace, id) ON DELETE CASCADE,
    FOREIGN KEY (later_place, later) REFERENCES memories (workspace, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX comparisons_by_later ON comparisons (workspace, later);
CREATE INDEX comparisons_with_earlier ON comparisons (earlier_place, earlier);
CREATE INDEX comparisons_with_later ON comparisons (later_place, later);

-- The statements that wait to be compared.
CREATE TABLE uncompared (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (workspace, id),
    FOREIGN KEY (workspace, id) REFERENCES memories (workspace, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was replaced or forgotten without a person, and what expired, latest first.
CREATE INDEX audit_by_itself ON audit (workspace, at, id)
WHERE action IN ('supersede', 'forget') AND actor NOT IN ('user', 'operator');
CREATE INDEX memories_expiring ON memories (workspace, expires_at, id)
WHERE expires_at IS NOT NULL;
