"""What a session is known by: its turns, the blocks it was shown, and what was in them."""
