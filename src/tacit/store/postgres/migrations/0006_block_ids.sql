-- Blocks are looked up by their ids, whichever session made them, and in turns that have not ended.

CREATE INDEX blocks_by_id ON tacit.blocks (workspace, id);
ALTER TABLE tacit.open_turns ADD COLUMN block text COLLATE "C";
CREATE INDEX open_turns_by_block ON tacit.open_turns (workspace, block);
