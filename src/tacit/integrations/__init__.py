"""Coding CLIs (hooks, daemon, installer, workflows) and MCP."""
