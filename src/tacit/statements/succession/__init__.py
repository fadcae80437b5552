"""Succession: what makes a newer text take the place of an older one."""

from tacit.statements.succession.decision import Replacement, replacement, replaces

__all__ = ["Replacement", "replacement", "replaces"]
