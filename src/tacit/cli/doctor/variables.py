"""Variables of the environment: those that are set, and those that nothing reads."""

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from tacit.cli.doctor.finding import Finding, Level, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.core.errors import ConfigError
from tacit.settings.config.loading import load
from tacit.settings.config.tables import Table
from tacit.settings.definition import definitions

_OURS = "TACIT_"

OWN = frozenset(
    {
        "TACIT_AGENT",
        "TACIT_CACHE",
        "TACIT_CONFIG",
        "TACIT_CREW",
        "TACIT_DB",
        "TACIT_EMBEDDER",
        "TACIT_EMBEDDING_KEY",
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
"""What is read besides settings."""

SETTINGS = frozenset(
    prefix + each.name.upper()
    for table in Table
    for prefix in table.prefixes
    for each in definitions(table.settings_class)
)
"""Every setting's variable."""


def look(_: Installation) -> Iterator[Finding]:
    """What the environment says to Tacit; no value is shown, since it may be a secret."""
    found = [*_unread(os.environ), *_refused(os.environ)]
    if found:
        yield from found
        return
    names = sorted(name for name in os.environ if name in OWN | SETTINGS)
    yield fine("environment", f"sets {', '.join(names)}" if names else "sets nothing of Tacit")


def _unread(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Variables that look like ours; programs refuse to start where it looks like a setting."""
    refused = tuple(table.prefixes[0] for table in Table)
    for name in sorted(environment):
        if name.startswith(_OURS) and name not in OWN | SETTINGS:
            level = Level.ERROR if name.startswith(refused) else Level.WARNING
            meant = nearest(name)
            mend = f"did you mean {meant}? Rename it, or unset it" if meant else "unset it"
            yield Finding("environment", level, f"{name} is set, and nothing has this name", mend)


def _refused(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Settings with a value that is not accepted."""
    for name in sorted(SETTINGS.intersection(environment)):
        try:
            load(None, {name: environment[name]})
        except ConfigError as error:
            yield wrong("environment", str(error), f"correct it, or unset {name}")


def nearest(name: str) -> str | None:
    """The variable that is likely meant."""
    known = {each.removeprefix(_OURS) for each in OWN | SETTINGS if each.startswith(_OURS)}
    close = get_close_matches(name.removeprefix(_OURS), sorted(known), n=1)
    return _OURS + close[0] if close else None
