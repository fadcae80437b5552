"""The `tacit` command."""
