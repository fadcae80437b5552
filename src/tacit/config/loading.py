"""Finding a configuration file and reading it together with the environment."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tacit.config.config import Config, Source, Values
from tacit.config.document import Document
from tacit.config.environment import environment_values
from tacit.config.statements import Place
from tacit.config.tables import Table
from tacit.memory import check as check_field
from tacit.settings import check

CONFIG_VARIABLE = "TACIT_CONFIG"
FILE_NAME = "tacit.toml"

_SHARED = tuple(table for table in Table if table is not Table.MEMORY_INJECTION)
_TABLES = ("defaults", "agents", *map(str, _SHARED))


def find_config(environment: Mapping[str, str], folder: Path, user_folder: Path) -> Path | None:
    """The file that TACIT_CONFIG names, else the one in the folder, else the user's, else none."""
    named = environment.get(CONFIG_VARIABLE)
    if named:
        return folder / named
    candidates = (folder / FILE_NAME, user_folder / FILE_NAME)
    return next((path for path in candidates if _is_there(path)), None)


def _is_there(path: Path) -> bool:
    """Whether a file can be seen; what lies in a folder that is closed to us is not ours."""
    try:
        return path.is_file()
    except PermissionError:
        return False


def load(path: Path | None, environment: Mapping[str, str]) -> Config:
    """Read the file, if one is named, and the environment; every value is checked."""
    return interpret(Document.read(path), environment)


def validate(path: Path, text: str) -> None:
    """Refuse a text that could not be loaded from a file."""
    interpret(Document.of(path, text), {})


def interpret(document: Document, environment: Mapping[str, str]) -> Config:
    """What a document and the environment say together; every value is checked."""
    document.allow((), _TABLES)
    document.allow(("defaults",), (Table.MEMORY_INJECTION,))
    told = {table: environment_values(environment, table) for table in Table}
    written = {table: _settings(document, table.place, table) for table in Table}
    shared = {
        str(table): table.settings_class(**{**written[table], **told[table]}) for table in _SHARED
    }
    return Config(
        path=document.path,
        **shared,
        defaults=written[Table.MEMORY_INJECTION],
        environment=MappingProxyType(told[Table.MEMORY_INJECTION]),
        overrides=_agents(document),
        sources=MappingProxyType(
            _sources(written, Source.FILE) | _sources(told, Source.ENVIRONMENT)
        ),
    )


def _sources(
    values: Mapping[Table, Mapping[str, Any]], source: Source
) -> dict[tuple[Table, str], Source]:
    return {(table, name): source for table in _SHARED for name in values[table]}


def _agents(document: Document) -> Mapping[str, Values]:
    agents: dict[str, Values] = {}
    for number in range(len(document.tables("agents"))):
        place: Place = ("agents", number)
        document.allow(place, ("id", Table.MEMORY_INJECTION))
        name = _agent_id(document, place)
        if name in agents:
            problem = f"{name!r} is an agent further up already; give each agent one table"
            raise document.error((*place, "id"), problem)
        own = (*place, str(Table.MEMORY_INJECTION))
        agents[name] = _settings(document, own, Table.MEMORY_INJECTION)
    return MappingProxyType(agents)


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
