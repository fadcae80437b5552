"""Where Tacit keeps things when nobody says otherwise."""

from pathlib import Path

import platformdirs


def default_database() -> Path:
    """The one store of this user, shared by every program that uses Tacit without a path."""
    return Path(platformdirs.user_data_path("tacit", appauthor=False)) / "memory.db"
