-- Blocks of standing rules; a turn may make one beside its block of memories.

ALTER TABLE blocks ADD COLUMN standing_rules INTEGER NOT NULL DEFAULT 0;
ALTER TABLE open_turns ADD COLUMN standing_block TEXT;
CREATE INDEX open_turns_by_standing_block ON open_turns (workspace, standing_block);

CREATE INDEX memories_standing ON memories (workspace, scope, scope_id, importance, id)
WHERE type IN ('constraint', 'preference', 'identity') AND trust = 'trusted';
