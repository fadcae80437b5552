-- Blocks are looked up by their ids, whichever session made them, and in turns that have not ended.

CREATE INDEX blocks_by_id ON blocks (workspace, id);
ALTER TABLE open_turns ADD COLUMN block TEXT;
CREATE INDEX open_turns_by_block ON open_turns (workspace, block);
