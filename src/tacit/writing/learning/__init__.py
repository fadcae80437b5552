"""Learning: statements that people make in conversations become memories."""
