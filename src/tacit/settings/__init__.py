"""Settings: one definition each, immutable; a change is a new value."""
