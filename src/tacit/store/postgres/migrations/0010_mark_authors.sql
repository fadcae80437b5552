-- Who made a mark, and so in whose turns it counts. Those from before this step are people's.

ALTER TABLE tacit.marks ADD COLUMN actor text COLLATE "C" NOT NULL DEFAULT 'user';
ALTER TABLE tacit.marks ADD COLUMN agent text COLLATE "C";
ALTER TABLE tacit.marks ADD COLUMN user_name text COLLATE "C";
