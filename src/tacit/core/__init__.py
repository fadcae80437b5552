"""Frozen values that every room shares (memory, message, session, receipt, key), and errors."""
