"""Statements: what a text says of what, and what two texts are to each other, without a model."""
