"""The same work done by Tacit and by others, in an environment of its own."""
