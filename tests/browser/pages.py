"""The server with its pages, in a folder of its own."""

from contextlib import contextmanager

from tests.serving import running


@contextmanager
def pages(place, settings="", **environment):
    """`tacit serve` on an empty database, with a settings file that holds this text."""
    file = place / "tacit.toml"
    file.write_text(settings)
    own = {"TACIT_CONFIG": str(file), "XDG_DATA_HOME": str(place), **environment}
    with running(place / "memory.db", environment=own, pages=True) as server:
        yield server
