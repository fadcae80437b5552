"""Another revision beside this one, measured in turns: `python -m benchmarks.compare REV NAME…`."""
