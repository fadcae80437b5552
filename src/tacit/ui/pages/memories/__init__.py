"""Memories: all of them in a table, and each on a page of its own."""

from tacit.ui.page import Page
from tacit.ui.pages.memories.listing import build
from tacit.ui.pages.memories.memory import PAGE as MEMORY
from tacit.ui.rooms import MEMORIES

LIST = Page(MEMORIES, build)
PAGES = (LIST, MEMORY)
