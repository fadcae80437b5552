"""Upkeep: what has faded is forgotten, what says the same becomes one, what is near is related."""
