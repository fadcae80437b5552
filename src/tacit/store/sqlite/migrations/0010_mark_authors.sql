-- Who made a mark, and so in whose turns it counts. Those from before this step are people's.

ALTER TABLE marks ADD COLUMN actor TEXT NOT NULL DEFAULT 'user';
ALTER TABLE marks ADD COLUMN agent TEXT;
ALTER TABLE marks ADD COLUMN user_name TEXT;
