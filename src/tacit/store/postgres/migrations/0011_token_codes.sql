-- Codes of the tokens of memories, which were encoded behind up to two memories said before them. When
-- one of those is deleted, the codes go as well: they know its words.

CREATE TABLE tacit.token_codes (
    workspace bigint NOT NULL,
    model integer NOT NULL,
    row bigint NOT NULL,
    older bigint,
    newer bigint,
    codes bytea NOT NULL,
    PRIMARY KEY (workspace, model, row),
    FOREIGN KEY (workspace, row) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE,
    FOREIGN KEY (workspace, older) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE,
    FOREIGN KEY (workspace, newer) REFERENCES tacit.memories (workspace, row) ON DELETE CASCADE
) {partitioned};

-- Codes cannot be compressed, and nobody should try.
ALTER TABLE tacit.token_codes ALTER COLUMN codes SET STORAGE EXTERNAL;

CREATE INDEX token_codes_by_memory ON tacit.token_codes (workspace, row);
CREATE INDEX token_codes_by_older ON tacit.token_codes (workspace, older);
CREATE INDEX token_codes_by_newer ON tacit.token_codes (workspace, newer);
