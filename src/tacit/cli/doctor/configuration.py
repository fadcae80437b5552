"""Checks of the program, its settings files, project files and environment variables."""

import os
import platform
import shlex
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from tacit.api.configuration import find_config_files
from tacit.cli.doctor.findings import (
    DoctorFinding,
    Installation,
    Severity,
    error_finding,
    ok_finding,
    warning_finding,
)
from tacit.core.errors import ConfigError
from tacit.integrations.hooks.project_files import FileKind, ProjectFile, find_project_files
from tacit.runtime.files import config_folder, default_database_path
from tacit.runtime.trust import IgnoredSetting, TrustRecord, to_printable_path
from tacit.settings.config import (
    CONFIG_FILE_NAME,
    Config,
    ConfigPaths,
    SettingsTable,
)
from tacit.settings.definition import list_definitions
from tacit.settings.loader import load_config, load_config_files, read_project_layer
from tacit.version import __version__

# Settings files and project files


def check_configuration(installation: Installation) -> Iterator[DoctorFinding]:
    """Which file is in use, or where one would be looked for."""
    paths = _paths(installation)
    files = [path for path in (paths.own, paths.database) if path is not None]
    if not files:
        yield ok_finding(
            "configuration",
            f"no file, so the built-in values hold; {CONFIG_FILE_NAME} is looked for in"
            f" {config_folder()} and, if you agree to it, in {Path.cwd()}",
        )
    for path in files:
        yield from _check_file(path)


def _check_file(path: Path) -> Iterator[DoctorFinding]:
    try:
        config = load_config(path, {})
    except ConfigError as error:
        check = f"tacit settings check {shlex.quote(str(path))}"
        yield error_finding("configuration", str(error), f"correct the file, then run: {check}")
    else:
        yield ok_finding("configuration", f"{path} is valid")
        for warning in config.warnings:
            yield warning_finding("configuration", warning)


def check_trust(installation: Installation) -> Iterator[DoctorFinding]:
    """Which files of the current folder act, and which are ignored."""
    record = TrustRecord()
    if problem := record.problem():
        mend = f"run: chmod go-w {shlex.quote(str(record.path))}, or remove it and agree again"
        yield warning_finding("trust", problem, mend)
    named = _paths(installation)
    for file in find_project_files(Path.cwd()):
        is_used = file.kind is not FileKind.SETTINGS or named.project is not None
        if is_used:
            yield from _check_consent(file, record)
    for each in read_project_layer(named.project, record).ignored:
        if each.setting is not None:
            yield warning_finding("trust", str(each))


def _check_consent(file: ProjectFile, record: TrustRecord) -> Iterator[DoctorFinding]:
    if file.is_trusted(record):
        yield ok_finding("trust", f"{to_printable_path(file.path)} acts, as you have agreed")
    elif file.problem is not None:
        yield warning_finding("trust", file.problem)
    else:
        ignored = IgnoredSetting.untrusted(file.path)
        found = f"{ignored.file} is ignored: {ignored.reason}"
        yield warning_finding("trust", found, f"to see what it does, and agree: {ignored.command}")


def load_settings(installation: Installation) -> Config:
    """The settings that programs use; the built-in ones where they are wrong."""
    try:
        return load_config_files(_paths(installation), os.environ, TrustRecord())
    except ConfigError:
        return Config()


def _paths(installation: Installation) -> ConfigPaths:
    if installation.config is not None:
        return ConfigPaths(own=installation.config)
    return find_config_files(installation.db or default_database_path())


# The program


def check_program(_: Installation) -> Iterator[DoctorFinding]:
    """The versions that a report of a fault should name."""
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    yield ok_finding(
        "program", f"Tacit {__version__}, Python {platform.python_version()}, {system}"
    )


# Environment variables


_PREFIX = "TACIT_"

KNOWN_VARIABLES = frozenset(
    {
        "TACIT_AGENT",
        "TACIT_CACHE",
        "TACIT_CONFIG",
        "TACIT_CREW",
        "TACIT_DB",
        "TACIT_EMBEDDER",
        "TACIT_EMBEDDING_KEY",
        "TACIT_PREVIOUS_EMBEDDER",
        "TACIT_PREVIOUS_EMBEDDING_KEY",
        "TACIT_EVAL_DB",
        "TACIT_HOOKS_SECONDS",
        "TACIT_HOOKS_TCP",
        "TACIT_HOST",
        "TACIT_KEY",
        "TACIT_LOG_FOLDER",
        "TACIT_LOG_FORMAT",
        "TACIT_LOG_LEVEL",
        "TACIT_MACHINE",
        "TACIT_MODEL_SOURCE",
        "TACIT_PORT",
        "TACIT_RUNTIME_DIR",
        "TACIT_URL",
        "TACIT_USER",
        "TACIT_WORKSPACE",
    }
)
"""Variables that are read besides settings."""

SETTING_VARIABLES = frozenset(
    prefix + each.name.upper()
    for table in SettingsTable
    for prefix in table.prefixes
    for each in list_definitions(table.settings_class)
)
"""Every setting's variable."""


def check_variables(_: Installation) -> Iterator[DoctorFinding]:
    """The variables that are set; values are not shown, since they may be secrets."""
    found = [*_check_unknown(os.environ), *_check_values(os.environ)]
    if found:
        yield from found
        return
    names = sorted(name for name in os.environ if name in KNOWN_VARIABLES | SETTING_VARIABLES)
    yield ok_finding(
        "environment", f"sets {', '.join(names)}" if names else "sets nothing of Tacit"
    )


def _check_unknown(environment: Mapping[str, str]) -> Iterator[DoctorFinding]:
    """Unknown variables with our prefix; programs refuse to start if one looks like a setting."""
    refused = tuple(table.prefixes[0] for table in SettingsTable)
    for name in sorted(environment):
        if name.startswith(_PREFIX) and name not in KNOWN_VARIABLES | SETTING_VARIABLES:
            level = Severity.ERROR if name.startswith(refused) else Severity.WARNING
            meant = nearest_variable(name)
            mend = f"did you mean {meant}? Rename it, or unset it" if meant else "unset it"
            yield DoctorFinding(
                "environment", level, f"{name} is set, and nothing has this name", mend
            )


def _check_values(environment: Mapping[str, str]) -> Iterator[DoctorFinding]:
    """Settings with a value that is not accepted."""
    for name in sorted(SETTING_VARIABLES.intersection(environment)):
        try:
            load_config(None, {name: environment[name]})
        except ConfigError as error:
            yield error_finding("environment", str(error), f"correct it, or unset {name}")


def nearest_variable(name: str) -> str | None:
    """The most similar known variable."""
    known = {
        each.removeprefix(_PREFIX)
        for each in KNOWN_VARIABLES | SETTING_VARIABLES
        if each.startswith(_PREFIX)
    }
    close = get_close_matches(name.removeprefix(_PREFIX), sorted(known), n=1)
    return _PREFIX + close[0] if close else None
