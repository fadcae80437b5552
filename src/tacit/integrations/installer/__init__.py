"""Installs hooks and the MCP server in a client's own configuration, and removes them again."""
