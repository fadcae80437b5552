"""The configuration file: which one, and whether it is valid."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from tacit.config import FILE_NAME, find_config, load
from tacit.doctor.finding import Finding, fine, wrong
from tacit.doctor.installation import Installation
from tacit.errors import ConfigError
from tacit.files.locations import config_folder
from tacit.settings import PostgresSettings


def look(installation: Installation) -> Iterator[Finding]:
    """Which file is in use, or where one would be looked for."""
    path = _path(installation)
    if path is None:
        places = f"{Path.cwd()} and {config_folder()}"
        yield fine(
            "configuration",
            f"no file, so the built-in values hold; {FILE_NAME} is looked for in {places}",
        )
        return
    try:
        load(path, {})
    except ConfigError as error:
        check = f"tacit settings check {shlex.quote(str(path))}"
        yield wrong("configuration", str(error), f"correct the file, then run: {check}")
    else:
        yield fine("configuration", f"{path} is valid")


def postgres_settings(installation: Installation) -> PostgresSettings:
    """How a PostgreSQL store would be opened; the built-in way where the settings are wrong."""
    try:
        return load(_path(installation), os.environ).postgres
    except ConfigError:
        return PostgresSettings()


def _path(installation: Installation) -> Path | None:
    return installation.config or find_config(os.environ, Path.cwd(), config_folder())
