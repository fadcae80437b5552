"""A form for settings, built from their definitions, and what several who edit them need."""
