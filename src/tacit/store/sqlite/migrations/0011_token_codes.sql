-- Codes of the tokens of memories, which were encoded behind up to two memories said before them. When
-- one of those is deleted, the codes go as well: they know its words. Not WITHOUT ROWID, where a row
-- of more than 1,002 bytes takes a page of its own.

CREATE TABLE token_codes (
    workspace INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (id),
    row INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    older INTEGER REFERENCES memories (row) ON DELETE CASCADE,
    newer INTEGER REFERENCES memories (row) ON DELETE CASCADE,
    codes BLOB NOT NULL,
    UNIQUE (workspace, model, row)
) STRICT;

CREATE INDEX token_codes_by_memory ON token_codes (row);
CREATE INDEX token_codes_by_older ON token_codes (older);
CREATE INDEX token_codes_by_newer ON token_codes (newer);

-- What was said before and after a memory in its session.
CREATE INDEX memories_by_place ON memories (workspace, origin ->> 'session', origin ->> 'ordinal')
WHERE origin ->> 'session' IS NOT NULL;
