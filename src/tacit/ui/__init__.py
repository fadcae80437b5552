"""The web UI: what agents remember, how it is used, and why, over the REST client alone."""
