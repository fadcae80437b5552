"""One workspace in arrays: derived from the store, kept fresh by its revisions."""
