"""A database for each of those who keep their memories in PostgreSQL."""

import os
import re
from pathlib import Path

from benchmarks.server import URL_VARIABLE, new_database


def own_database(folder: Path) -> str:
    """The URL of an empty database that is named like a folder."""
    name = re.sub(r"\W+", "_", folder.name.lower())
    return new_database(os.environ[URL_VARIABLE], f"tacit_peers_{name}")
