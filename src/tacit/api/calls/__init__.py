"""The calls of `Tacit`, one module per subject."""
