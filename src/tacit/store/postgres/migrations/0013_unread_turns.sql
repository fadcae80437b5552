-- How often the reading of a turn was begun, and why it was set aside.

ALTER TABLE tacit.heard ADD COLUMN tries integer NOT NULL DEFAULT 0;
ALTER TABLE tacit.heard ADD COLUMN problem text;
