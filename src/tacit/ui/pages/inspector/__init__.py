"""The inspector: type a message or pick a past turn, and see every decision of it."""

from tacit.ui.page import Page
from tacit.ui.pages.inspector.page import build
from tacit.ui.rooms import INSPECTOR

PAGE = Page(INSPECTOR, build)

__all__ = ["PAGE"]
