"""The routes, one module for each thing they are about."""

from tacit.server.routes import changes, grounding, memories, relations, reviews, sessions, turns
from tacit.server.routes.administration import agents_router, keys_router, settings_router
from tacit.server.routes.episodes import episodes_router
from tacit.server.routes.grounding import documents_router
from tacit.server.routes.items import items_router
from tacit.server.routes.maintenance import archive_router, upkeep_router
from tacit.server.routes.memories import erasure_router
from tacit.server.routes.observation import (
    activity_router,
    events_router,
    health_router,
    stats_router,
    workspaces_router,
)
from tacit.server.routes.relations import conflicts_router
from tacit.server.routes.reviews import learning_router
from tacit.server.routes.sessions import projects_router
from tacit.server.routes.turns import marks_router, receipts_router, views_router

ROUTERS = (
    health_router,
    turns.turns_router,
    turns.calls_router,
    sessions.sessions_router,
    projects_router,
    grounding.grounding_router,
    documents_router,
    learning_router,
    archive_router,
    memories.memories_router,
    episodes_router,
    items_router,
    erasure_router,
    relations.relations_router,
    reviews.reviews_router,
    changes.changes_router,
    receipts_router,
    marks_router,
    views_router,
    conflicts_router,
    upkeep_router,
    stats_router,
    activity_router,
    events_router,
    settings_router,
    agents_router,
    keys_router,
    workspaces_router,
)
