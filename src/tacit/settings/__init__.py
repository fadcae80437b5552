"""Settings: one definition each, the files and variables that set them, and live reload."""
