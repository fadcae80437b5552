"""Installing: hooks and the MCP server in a client's own configuration, and out of it again."""
