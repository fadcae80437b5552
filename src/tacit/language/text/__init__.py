"""Text analysis: one way to turn any text into search terms, the same for every backend."""
