"""SQLite behind the store's protocols: one file, many processes, nothing to run."""
