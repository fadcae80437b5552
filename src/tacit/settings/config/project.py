"""The settings file of a project: what it may say, and what of it acts.

It adds to the user's own file. It acts after the user has agreed to its content, and only in the
settings that a project may set. It never stops a program: what is wrong with it is named instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tacit.core.errors import ConfigError
from tacit.runtime.files import decode_text
from tacit.runtime.trust import (
    FileContent,
    IgnoredSetting,
    TrustRecord,
    read_content,
    to_printable_path,
)
from tacit.settings.checking import check
from tacit.settings.config.config import Config, ProjectLayer, Values
from tacit.settings.config.document import Document
from tacit.settings.config.loading import ConfigPaths, agent_places, interpret, refuse_misplaced
from tacit.settings.config.statements import Place
from tacit.settings.config.tables import Table
from tacit.settings.definition import definition

FORBIDDEN = "a project's file cannot set it; set it in your own"

_MOST_AGENTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSetting:
    """One setting that a project's file gives a value to."""

    table: Table
    name: str
    value: Any
    agent: str | None = None

    @property
    def may_act(self) -> bool:
        """Whether a project may set it."""
        return definition(self.table.settings_class, self.name).in_project


def load_found(found: ConfigPaths, environment: Mapping[str, str], trust: TrustRecord) -> Config:
    """What the files that were found and the environment say; every value is checked."""
    return interpret(Document.read(found.own), environment, read_project(found.project, trust))


def read_project(path: Path | None, trust: TrustRecord) -> ProjectLayer:
    """What acts of a project's file; one that is not trusted is not even parsed."""
    if path is None:
        return ProjectLayer()
    try:
        content = read_content(path)
        if not trust.is_trusted(content):
            return ProjectLayer(ignored=(IgnoredSetting.untrusted(path),))
        return _layer(path, content)
    except ConfigError as error:
        file = to_printable_path(path)
        reason = str(error).removeprefix(file).lstrip(":, ")
        return ProjectLayer(ignored=(IgnoredSetting(file=file, reason=reason),))


def project_settings(content: FileContent) -> tuple[ProjectSetting, ...]:
    """Every setting in a project's file; those that it may set are checked."""
    document = Document.of(content.path, decode_text(content.path, content.data))
    if len(document.tables("agents")) > _MOST_AGENTS:
        problem = f"a project's file may have {_MOST_AGENTS}; move the others to your own"
        raise document.error(("agents", _MOST_AGENTS), problem)
    refuse_misplaced(document)
    places: list[tuple[Table, str | None, Place]] = [(each, None, each.place) for each in Table]
    for agent, place in agent_places(document).items():
        places.append((Table.MEMORY_INJECTION, agent, place))
    return tuple(
        setting
        for table, agent, place in places
        for setting in _settings(document, place, table, agent)
    )


def _settings(
    document: Document, place: Place, table: Table, agent: str | None
) -> Iterator[ProjectSetting]:
    for name, value in document.table(place).items():
        with document.locating((*place, name)):
            setting = ProjectSetting(table=table, name=name, value=value, agent=agent)
            if setting.may_act:
                value = check(table.settings_class, name, value)
        yield ProjectSetting(table=table, name=name, value=value, agent=agent)


@lru_cache(maxsize=64)
def _layer(path: Path, content: FileContent) -> ProjectLayer:
    """What acts of a content that the user has agreed to; said again, it costs nothing."""
    settings = project_settings(content)
    acting = [each for each in settings if each.may_act]
    refused = dict.fromkeys(f"{each.table}.{each.name}" for each in settings if not each.may_act)
    agents = dict.fromkeys(each.agent for each in acting if each.agent is not None)
    return ProjectLayer(
        path=path,
        values={table: _values(acting, table, None) for table in Table},
        agents={agent: _values(acting, Table.MEMORY_INJECTION, agent) for agent in agents},
        ignored=tuple(
            IgnoredSetting(file=to_printable_path(path), setting=name, reason=FORBIDDEN)
            for name in refused
        ),
    )


def _values(settings: list[ProjectSetting], table: Table, agent: str | None) -> Values:
    found = [each for each in settings if each.table is table and each.agent == agent]
    return {each.name: each.value for each in found}
