"""Summaries: what a transcript leaves behind when there is no room for all of it."""
