"""Upkeep: faded memories are forgotten, duplicates are merged, related memories are linked."""
