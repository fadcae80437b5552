-- How often a session was cleared, so that a turn that began before is not recorded after.

ALTER TABLE sessions ADD COLUMN clears INTEGER NOT NULL DEFAULT 0;
