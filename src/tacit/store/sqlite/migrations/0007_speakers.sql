-- For whom a key speaks. A key with a user is bound to that user. Agents' keys that were made before
-- this step keep speaking for users, as nobody was asked: NULL says so. Keys without an agent speak.

ALTER TABLE keys ADD COLUMN user_name TEXT;
ALTER TABLE keys ADD COLUMN speaks_for_users INTEGER;
UPDATE keys SET speaks_for_users = 1 WHERE agent IS NULL;
