"""The client: the calls of `Tacit` for a workspace that a server holds."""
