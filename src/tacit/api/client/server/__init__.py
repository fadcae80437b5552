"""A server itself: how it is, its settings, its agents and its keys."""
