"""The coding CLIs that Tacit speaks with, and what each of them says and takes."""

from collections.abc import Mapping

from tacit.integrations.hooks.clients.claude_code import CLAUDE_CODE
from tacit.integrations.hooks.clients.client import Client
from tacit.integrations.hooks.clients.codex import CODEX
from tacit.integrations.hooks.clients.gemini import GEMINI

CLIENTS: Mapping[str, Client] = {each.name: each for each in (CLAUDE_CODE, CODEX, GEMINI)}
"""Every client by its name."""
