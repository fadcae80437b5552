"""The Python API: `Tacit`, `AsyncTacit`, and the client of a server."""
