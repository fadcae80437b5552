"""Measurements of the store on the machine they run on: `python -m benchmarks`."""
