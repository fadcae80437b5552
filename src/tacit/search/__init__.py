"""Finding memories: full text, vectors and graph, fused into one list."""
