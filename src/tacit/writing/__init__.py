"""Writing: how memories are remembered, edited, reviewed, erased, learned, maintained and moved."""
