"""Memory as an MCP server: tools to remember, search, explain, forget and list, and resources."""

from tacit.mcp.place import Place
from tacit.mcp.server import create_server

__all__ = ["Place", "create_server"]
