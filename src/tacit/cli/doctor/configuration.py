"""The configuration: which files, whether they are valid, and which the user has agreed to."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from tacit.cli.doctor.finding import Finding, doubtful, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.core.errors import ConfigError
from tacit.integrations.hooks.project_files import FileKind, ProjectFile, find_project_files
from tacit.runtime.files import config_folder
from tacit.runtime.trust import IgnoredSetting, TrustRecord, to_printable_path
from tacit.settings.config.loading import FILE_NAME, ConfigPaths, find_config, load
from tacit.settings.config.project import read_project
from tacit.settings.postgres import PostgresSettings


def look(installation: Installation) -> Iterator[Finding]:
    """Which file is in use, or where one would be looked for."""
    path = _paths(installation).own
    if path is None:
        yield fine(
            "configuration",
            f"no file, so the built-in values hold; {FILE_NAME} is looked for in {config_folder()}"
            f" and, if you agree to it, in {Path.cwd()}",
        )
        return
    try:
        load(path, {})
    except ConfigError as error:
        check = f"tacit settings check {shlex.quote(str(path))}"
        yield wrong("configuration", str(error), f"correct the file, then run: {check}")
    else:
        yield fine("configuration", f"{path} is valid")


def look_at_trust(installation: Installation) -> Iterator[Finding]:
    """Which files of the current folder act, and which are ignored."""
    record = TrustRecord()
    if problem := record.problem():
        mend = f"run: chmod go-w {shlex.quote(str(record.path))}, or remove it and agree again"
        yield doubtful("trust", problem, mend)
    named = _paths(installation)
    for file in find_project_files(Path.cwd()):
        is_used = file.kind is not FileKind.SETTINGS or named.project is not None
        if is_used:
            yield from _consent(file, record)
    for each in read_project(named.project, record).ignored:
        if each.setting is not None:
            yield doubtful("trust", str(each))


def _consent(file: ProjectFile, record: TrustRecord) -> Iterator[Finding]:
    if file.is_trusted(record):
        yield fine("trust", f"{to_printable_path(file.path)} acts, as you have agreed")
    elif file.problem is not None:
        yield doubtful("trust", file.problem)
    else:
        ignored = IgnoredSetting.untrusted(file.path)
        found = f"{ignored.file} is ignored: {ignored.reason}"
        yield doubtful("trust", found, f"to see what it does, and agree: {ignored.command}")


def postgres_settings(installation: Installation) -> PostgresSettings:
    """How a PostgreSQL store would be opened; the built-in way where the settings are wrong."""
    try:
        return load(_paths(installation).own, os.environ).postgres
    except ConfigError:
        return PostgresSettings()


def _paths(installation: Installation) -> ConfigPaths:
    if installation.config is not None:
        return ConfigPaths(own=installation.config)
    return find_config(os.environ, Path.cwd(), config_folder())
