"""The routes, one module for each thing they are about."""

from tacit.server.routes import (
    agents,
    archive,
    conflicts,
    events,
    health,
    keys,
    memories,
    projects,
    receipts,
    relations,
    sessions,
    settings,
    stats,
    turns,
    views,
    workspaces,
)

ROUTERS = (
    health.router,
    turns.router,
    sessions.router,
    projects.router,
    archive.router,
    memories.router,
    relations.router,
    receipts.router,
    views.router,
    conflicts.router,
    stats.router,
    events.router,
    settings.router,
    agents.router,
    keys.router,
    workspaces.router,
)
