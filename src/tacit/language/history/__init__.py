"""The history of a conversation: blocks in it, where they stand, and how room is made in it."""
