"""Grounding: what a response is grounded in, read from files and memory and put together."""
