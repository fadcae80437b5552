"""Settings: the defaults of every agent, the rest of the file, and its text."""

from tacit.ui.page import Page
from tacit.ui.pages.settings.page import build
from tacit.ui.rooms import SETTINGS

PAGE = Page(SETTINGS, build)
