"""Statements: what a text says of what, and what two texts are to each other, without a model."""

from tacit.statements.likeness import Likeness, compare, may_be_near_duplicates
from tacit.statements.reading import STATEMENTS_VERSION, Reading, claims, read, slots
from tacit.statements.statement import Statement
from tacit.statements.succession import Replacement, replacement, replaces

__all__ = [
    "STATEMENTS_VERSION",
    "Likeness",
    "Reading",
    "Replacement",
    "Statement",
    "claims",
    "compare",
    "may_be_near_duplicates",
    "read",
    "replacement",
    "replaces",
    "slots",
]
