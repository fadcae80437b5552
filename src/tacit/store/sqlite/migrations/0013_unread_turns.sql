-- How often the reading of a turn was begun, and why it was set aside.

ALTER TABLE heard ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE heard ADD COLUMN problem TEXT;
