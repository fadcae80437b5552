"""Ranking: pure arithmetic on signals, the same whatever the signals came from."""
