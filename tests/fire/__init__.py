"""Processes that hold conversations on one store until they are killed, and their judge."""
