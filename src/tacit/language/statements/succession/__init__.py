"""Succession: what makes a newer text take the place of an older one."""
