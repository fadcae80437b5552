"""Supersession: when a newer text replaces an older one."""
