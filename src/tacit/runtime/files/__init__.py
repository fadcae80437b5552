"""Files: where they lie, and how they are written whole or not at all."""
