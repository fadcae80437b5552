"""Memory as an MCP server: tools to remember, search, explain, forget and list, and resources."""
