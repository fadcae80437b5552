-- For whom a key speaks. A key with a user is bound to that user. Agents' keys that were made before
-- this step keep speaking for users, as nobody was asked: NULL says so. Keys without an agent speak.

ALTER TABLE tacit.keys ADD COLUMN user_name text COLLATE "C";
ALTER TABLE tacit.keys ADD COLUMN speaks_for_users boolean;
UPDATE tacit.keys SET speaks_for_users = true WHERE agent IS NULL;
