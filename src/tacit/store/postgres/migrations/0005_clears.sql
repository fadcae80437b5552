-- How often a session was cleared, so that a turn that began before is not recorded after.

ALTER TABLE tacit.sessions ADD COLUMN clears bigint NOT NULL DEFAULT 0;
