-- Blocks of standing rules; a turn may make one beside its block of memories.

ALTER TABLE tacit.blocks ADD COLUMN standing_rules boolean NOT NULL DEFAULT false;
ALTER TABLE tacit.open_turns ADD COLUMN standing_block text COLLATE "C";
CREATE INDEX open_turns_by_standing_block ON tacit.open_turns (workspace, standing_block);

CREATE INDEX memories_standing ON tacit.memories (workspace, scope, scope_id, importance, id)
WHERE type IN ('constraint', 'preference', 'identity') AND trust = 'trusted';
