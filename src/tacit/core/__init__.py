"""Frozen values (memory, message, session, receipt, key) and the errors."""
