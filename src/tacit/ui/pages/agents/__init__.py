"""Agents: what single ones do differently, and how they go back to the defaults."""

from tacit.ui.page import Page
from tacit.ui.pages.agents.agent import build as one
from tacit.ui.pages.agents.listing import build as all_of_them
from tacit.ui.rooms import AGENTS

PAGES = (
    Page(AGENTS, all_of_them),
    Page(AGENTS, one, path=f"{AGENTS.path}/{{id:path}}", title="Agent {id}"),
)
