"""Coding CLIs (hooks, daemon, installer, workflows), MCP, and agent frameworks."""
