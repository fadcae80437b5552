"""Review: what waits for a person, beside what it would change."""

from tacit.ui.page import Page
from tacit.ui.pages.review.desk import build
from tacit.ui.rooms import REVIEW

PAGE = Page(REVIEW, build)
