"""A server itself: how it is, its settings, its agents and its keys."""

from tacit.client.server.agents import Agent, AgentSettings
from tacit.client.server.health import JobStatus, Readiness, ServerStatus
from tacit.client.server.server import RemoteServer
from tacit.client.server.settings import SettingsReport

__all__ = [
    "Agent",
    "AgentSettings",
    "JobStatus",
    "Readiness",
    "RemoteServer",
    "ServerStatus",
    "SettingsReport",
]
