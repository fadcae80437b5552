"""Conflicts: memories that cannot all be current, side by side."""

from tacit.ui.page import Page
from tacit.ui.pages.conflicts.board import build
from tacit.ui.rooms import CONFLICTS

PAGE = Page(CONFLICTS, build)
