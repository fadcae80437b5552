"""Finding a configuration file and reading it together with the environment."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tacit.core.fields import check_field
from tacit.runtime.trust import resolve_folder
from tacit.settings.checking import check, left_out
from tacit.settings.config.config import Config, ProjectLayer, Source, Values
from tacit.settings.config.document import Document
from tacit.settings.config.environment import environment_values, environment_warnings
from tacit.settings.config.statements import Place
from tacit.settings.config.tables import Table

CONFIG_VARIABLE = "TACIT_CONFIG"
FILE_NAME = "tacit.toml"

_SHARED = tuple(table for table in Table if table is not Table.MEMORY_INJECTION)
_TABLES = ("defaults", "agents", *map(str, _SHARED))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigPaths:
    """The files to read: the user's, and the project's that adds to it after consent."""

    own: Path | None = None
    """Named, or in the user's configuration folder."""
    project: Path | None = None
    """In the folder that a program runs in."""


def find_config(
    environment: Mapping[str, str], folder: Path, user_folder: Path, *, in_folder: bool = True
) -> ConfigPaths:
    """The file that TACIT_CONFIG names, alone; else the user's, and the one in the folder.

    A named file needs no consent, nor does one in the user's own folder.
    """
    named = environment.get(CONFIG_VARIABLE)
    if named:
        return ConfigPaths(own=folder / named)
    own, there = user_folder / FILE_NAME, folder / FILE_NAME
    is_of_project = in_folder and _is_there(there) and resolve_folder(there) != resolve_folder(own)
    return ConfigPaths(
        own=own if _is_there(own) else None, project=there if is_of_project else None
    )


def _is_there(path: Path) -> bool:
    """Whether a file can be seen; what lies in a folder that is closed to us is not ours."""
    try:
        return path.is_file()
    except PermissionError:
        return False


def load(path: Path | None, environment: Mapping[str, str]) -> Config:
    """Read the file, if one is named, and the environment; every value is checked."""
    return interpret(Document.read(path), environment)


def validate(path: Path, text: str) -> Config:
    """Refuse a text that could not be loaded from a file; gives what it says."""
    return interpret(Document.of(path, text), {})


def interpret(
    document: Document, environment: Mapping[str, str], project: ProjectLayer | None = None
) -> Config:
    """What the user's document, a project's and the environment say; every value is checked."""
    refuse_misplaced(document)
    layer = project or ProjectLayer()
    added: dict[Table, Values] = {table: layer.table(table) for table in Table}
    told = {table: environment_values(environment, table) for table in Table}
    written = {table: _settings(document, table.place, table) for table in Table}
    shared = {
        str(table): table.settings_class(**{**written[table], **added[table], **told[table]})
        for table in _SHARED
    }
    return Config(
        path=document.path,
        **shared,
        defaults=written[Table.MEMORY_INJECTION],
        environment=MappingProxyType(told[Table.MEMORY_INJECTION]),
        overrides=_agents(document),
        sources=MappingProxyType(
            _sources(written, Source.FILE)
            | _sources(added, Source.PROJECT)
            | _sources(told, Source.ENVIRONMENT)
        ),
        project=layer,
        warnings=(
            *_file_warnings(document),
            *(text for table in Table for text in environment_warnings(environment, table)),
        ),
    )


def refuse_misplaced(document: Document) -> None:
    """Refuse unknown tables, and name the right one of settings that stand in another."""
    if Table.MEMORY_INJECTION in document.content:
        problem = (
            "stands elsewhere in this file; write [defaults.memory_injection] for all agents, or"
            " [agents.memory_injection] below the [[agents]] of one"
        )
        raise document.error((str(Table.MEMORY_INJECTION),), problem)
    agents = document.tables("agents")
    places: list[Place] = [("defaults",), *(("agents", number) for number in range(len(agents)))]
    for place in places:
        for name in document.table(place):
            if name in _SHARED:
                problem = f"is the same for every agent; write it once, as [{name}]"
                raise document.error((*place, name), problem)
    document.allow((), _TABLES)
    document.allow(("defaults",), (Table.MEMORY_INJECTION,))


def _file_warnings(document: Document) -> Iterator[str]:
    """What is left out of the values in a file."""
    places: dict[Place, Table] = {table.place: table for table in Table}
    for number in range(len(document.tables("agents"))):
        places["agents", number, str(Table.MEMORY_INJECTION)] = Table.MEMORY_INJECTION
    for place, table in places.items():
        for name, value in document.table(place).items():
            for warning in left_out(table.settings_class, name, value):
                yield document.located((*place, name), warning)


def _sources(
    values: Mapping[Table, Mapping[str, Any]], source: Source
) -> dict[tuple[Table, str], Source]:
    return {(table, name): source for table in _SHARED for name in values[table]}


def _agents(document: Document) -> Mapping[str, Values]:
    places = agent_places(document)
    return MappingProxyType(
        {name: _settings(document, place, Table.MEMORY_INJECTION) for name, place in places.items()}
    )


def agent_places(document: Document) -> dict[str, Place]:
    """Where the settings of each agent stand, by its id."""
    places: dict[str, Place] = {}
    for number in range(len(document.tables("agents"))):
        place: Place = ("agents", number)
        document.allow(place, ("id", Table.MEMORY_INJECTION))
        name = _agent_id(document, place)
        if name in places:
            problem = f"{name!r} is an agent further up already; give each agent one table"
            raise document.error((*place, "id"), problem)
        places[name] = (*place, str(Table.MEMORY_INJECTION))
    return places


def _agent_id(document: Document, place: Place) -> str:
    given = document.table(place).get("id")
    if given is None:
        raise document.error(place, 'has no id; add one, such as id = "coder"')
    with document.locating((*place, "id")):
        return str(check_field("agent", given))


def _settings(document: Document, place: Place, table: Table) -> Values:
    values = {}
    for name, value in document.table(place).items():
        with document.locating((*place, name)):
            values[name] = check(table.settings_class, name, value)
    return MappingProxyType(values)
