"""Reads the configuration files and builds a configuration from them and the environment.

The file of a project adds to the user's own file. It acts only after the user has agreed to its
content, and only in the settings that a project may set. It never stops a program: problems in it
are reported instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from reprlib import repr as shown
from types import MappingProxyType
from typing import Any

from tacit.core.errors import ConfigError, InvalidInput
from tacit.core.fields import check_field
from tacit.runtime.files import decode_text, parse_toml, read_file
from tacit.runtime.trust import (
    FileContent,
    IgnoredSetting,
    TrustRecord,
    read_content,
    to_printable_path,
)
from tacit.settings.config import (
    Config,
    ConfigPaths,
    ProjectLayer,
    SettingSource,
    SettingsTable,
    Values,
)
from tacit.settings.definition import check_setting, find_definition, find_doubts
from tacit.settings.environment import list_environment_warnings, read_environment
from tacit.settings.toml_edit import KeyPath, line_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigDocument:
    """The text of a file and its parsed content; empty without a file."""

    path: Path | None = None
    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None) -> "ConfigDocument":
        """Read a file, if one is named, or say why it cannot be read."""
        return cls() if path is None else cls.of(path, _read_text(path))

    @classmethod
    def of(cls, path: Path, text: str) -> "ConfigDocument":
        """Parse a text as the content of a file."""
        return cls(path=path, text=text, content=parse_toml(path, text))

    def table(self, place: KeyPath) -> Mapping[str, Any]:
        """The table at a path; empty if there is none."""
        found: Any = self.content
        for step in place:
            found = found[step] if isinstance(step, int) else found.get(step, {})
        if not isinstance(found, Mapping):
            raise self.error(place, f"expected a table, not {shown(found)}")
        return found

    def allow(self, place: KeyPath, names: Sequence[str]) -> None:
        """Reject every other name in the table at a path."""
        for name in self.table(place):
            if name not in names:
                known = ", ".join(names)
                raise self.error((*place, name), f"nothing has this name here; known: {known}")

    def tables(self, name: str) -> Sequence[Any]:
        """The entries of an array of tables; empty if there is none."""
        found = self.content.get(name, [])
        if not isinstance(found, list):
            raise self.error((name,), f"expected a list of tables; write [[{name}]] above each")
        return found

    def error(self, place: KeyPath, problem: str) -> ConfigError:
        """An error that names the file, the line and the key."""
        return ConfigError(self.at_line(place, problem))

    def at_line(self, place: KeyPath, text: str) -> str:
        """A message about a key, prefixed with the file, the line and the key."""
        return f"{self.path}, line {line_of(self.text, place)}: {_to_dotted_key(place)}: {text}"

    @contextmanager
    def errors_at(self, place: KeyPath) -> Iterator[None]:
        """Let an `InvalidInput` raised inside name the file, the line and the key."""
        try:
            yield
        except InvalidInput as error:
            raise self.error(place, error.problem) from None


def _read_text(path: Path) -> str:
    try:
        return decode_text(path, read_file(path))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; create it or name another") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name a file") from error


def _to_dotted_key(place: KeyPath) -> str:
    """A path as people write it; entries of arrays count from 1."""
    steps = (f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(steps).removeprefix(".")


_SHARED_TABLES = tuple(
    table for table in SettingsTable if table is not SettingsTable.MEMORY_INJECTION
)
_TABLE_NAMES = ("defaults", "agents", *map(str, _SHARED_TABLES))


def load_config(path: Path | None, environment: Mapping[str, str]) -> Config:
    """Read the file, if one is named, and the environment; every value is checked."""
    return build_config(ConfigDocument.read(path), environment)


def validate_config(path: Path, text: str) -> Config:
    """Reject a text that could not be loaded from a file; returns its configuration."""
    return build_config(ConfigDocument.of(path, text), {})


def build_config(
    document: ConfigDocument,
    environment: Mapping[str, str],
    project: ProjectLayer | None = None,
    base: ConfigDocument | None = None,
) -> Config:
    """Build a configuration from the user's file, the project's and the environment, checked.

    If the document is that of a database, `base` is the user's beneath it.
    """
    below = base or ConfigDocument()
    for each in (below, document):
        reject_misplaced_tables(each)
    layer = project or ProjectLayer()
    added: dict[SettingsTable, Values] = {table: layer.table(table) for table in SettingsTable}
    told = {table: read_environment(environment, table) for table in SettingsTable}
    under, written = (
        {table: _read_table(each, table.place, table) for table in SettingsTable}
        for each in (below, document)
    )
    shared = {
        str(table): table.settings_class(
            **{**under[table], **written[table], **added[table], **told[table]}
        )
        for table in _SHARED_TABLES
    }
    return Config(
        path=document.path,
        base_path=below.path,
        **shared,
        base_defaults=under[SettingsTable.MEMORY_INJECTION],
        defaults=written[SettingsTable.MEMORY_INJECTION],
        environment=MappingProxyType(told[SettingsTable.MEMORY_INJECTION]),
        overrides=_read_agents(below, document),
        sources=MappingProxyType(
            _sources_of(under, SettingSource.USER_FILE)
            | _sources_of(written, SettingSource.FILE)
            | _sources_of(added, SettingSource.PROJECT)
            | _sources_of(told, SettingSource.ENVIRONMENT)
        ),
        project=layer,
        warnings=(
            *_file_warnings(below),
            *_file_warnings(document),
            *(
                text
                for table in SettingsTable
                for text in list_environment_warnings(environment, table)
            ),
        ),
    )


def reject_misplaced_tables(document: ConfigDocument) -> None:
    """Reject unknown tables, and name the right table for misplaced settings."""
    if SettingsTable.MEMORY_INJECTION in document.content:
        problem = (
            "stands elsewhere in this file; write [defaults.memory_injection] for all agents, or"
            " [agents.memory_injection] below the [[agents]] of one"
        )
        raise document.error((str(SettingsTable.MEMORY_INJECTION),), problem)
    agents = document.tables("agents")
    places: list[KeyPath] = [("defaults",), *(("agents", number) for number in range(len(agents)))]
    for place in places:
        for name in document.table(place):
            if name in _SHARED_TABLES:
                problem = f"is the same for every agent; write it once, as [{name}]"
                raise document.error((*place, name), problem)
    document.allow((), _TABLE_NAMES)
    document.allow(("defaults",), (SettingsTable.MEMORY_INJECTION,))


def _file_warnings(document: ConfigDocument) -> Iterator[str]:
    """The parts of values in a file that are ignored or doubtful, each with the reason."""
    places: dict[KeyPath, SettingsTable] = {table.place: table for table in SettingsTable}
    for number in range(len(document.tables("agents"))):
        places["agents", number, str(SettingsTable.MEMORY_INJECTION)] = (
            SettingsTable.MEMORY_INJECTION
        )
    for place, table in places.items():
        for name, value in document.table(place).items():
            for warning in find_doubts(table.settings_class, name, value):
                yield document.at_line((*place, name), warning)


def _sources_of(
    values: Mapping[SettingsTable, Mapping[str, Any]], source: SettingSource
) -> dict[tuple[SettingsTable, str], SettingSource]:
    return {(table, name): source for table in _SHARED_TABLES for name in values[table]}


def _read_agents(*documents: ConfigDocument) -> Mapping[str, Values]:
    """The settings of each agent, field by field from the weakest document to the strongest."""
    found: dict[str, dict[str, Any]] = {}
    for document in documents:
        for name, place in find_agent_tables(document).items():
            values = _read_table(document, place, SettingsTable.MEMORY_INJECTION)
            found.setdefault(name, {}).update(values)
    return MappingProxyType({name: MappingProxyType(values) for name, values in found.items()})


def find_agent_tables(document: ConfigDocument) -> dict[str, KeyPath]:
    """The path of each agent's settings, by its id."""
    places: dict[str, KeyPath] = {}
    for number in range(len(document.tables("agents"))):
        place: KeyPath = ("agents", number)
        document.allow(place, ("id", SettingsTable.MEMORY_INJECTION))
        name = _agent_id(document, place)
        if name in places:
            problem = f"{name!r} is an agent further up already; give each agent one table"
            raise document.error((*place, "id"), problem)
        places[name] = (*place, str(SettingsTable.MEMORY_INJECTION))
    return places


def _agent_id(document: ConfigDocument, place: KeyPath) -> str:
    given = document.table(place).get("id")
    if given is None:
        raise document.error(place, 'has no id; add one, such as id = "coder"')
    with document.errors_at((*place, "id")):
        return str(check_field("agent", given))


def _read_table(document: ConfigDocument, place: KeyPath, table: SettingsTable) -> Values:
    values = {}
    for name, value in document.table(place).items():
        with document.errors_at((*place, name)):
            values[name] = check_setting(table.settings_class, name, value)
    return MappingProxyType(values)


# The file of a project.


NOT_FOR_PROJECTS = "a project's file cannot set it; set it in your own"

_MAX_AGENTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSetting:
    """One setting that a project's file gives a value to."""

    table: SettingsTable
    name: str
    value: Any
    agent: str | None = None

    @property
    def may_act(self) -> bool:
        """Whether a project may set it."""
        return find_definition(self.table.settings_class, self.name).in_project


def load_config_files(
    found: ConfigPaths, environment: Mapping[str, str], trust: TrustRecord
) -> Config:
    """What the files that were found and the environment say; every value is checked."""
    document, base = order_documents(*map(ConfigDocument.read, (found.own, found.database)))
    return build_config(document, environment, read_project_layer(found.project, trust), base)


def order_documents(
    own: ConfigDocument, database: ConfigDocument
) -> tuple[ConfigDocument, ConfigDocument]:
    """The document that settings are written to, and the one beneath it, if there are two."""
    return (own, database) if database.path is None else (database, own)


def read_project_layer(path: Path | None, trust: TrustRecord) -> ProjectLayer:
    """What acts of a project's file; one that is not trusted is not even parsed."""
    if path is None:
        return ProjectLayer()
    try:
        content = read_content(path)
        if not trust.is_trusted(content):
            return ProjectLayer(ignored=(IgnoredSetting.untrusted(path),))
        return _build_layer(path, content)
    except ConfigError as error:
        file = to_printable_path(path)
        reason = str(error).removeprefix(file).lstrip(":, ")
        return ProjectLayer(ignored=(IgnoredSetting(file=file, reason=reason),))


def parse_project_settings(content: FileContent) -> tuple[ProjectSetting, ...]:
    """Every setting in a project's file; those that it may set are checked."""
    document = ConfigDocument.of(content.path, decode_text(content.path, content.data))
    if len(document.tables("agents")) > _MAX_AGENTS:
        problem = f"a project's file may have {_MAX_AGENTS}; move the others to your own"
        raise document.error(("agents", _MAX_AGENTS), problem)
    reject_misplaced_tables(document)
    places: list[tuple[SettingsTable, str | None, KeyPath]] = [
        (each, None, each.place) for each in SettingsTable
    ]
    for agent, place in find_agent_tables(document).items():
        places.append((SettingsTable.MEMORY_INJECTION, agent, place))
    return tuple(
        setting
        for table, agent, place in places
        for setting in _read_project_table(document, place, table, agent)
    )


def _read_project_table(
    document: ConfigDocument, place: KeyPath, table: SettingsTable, agent: str | None
) -> Iterator[ProjectSetting]:
    for name, value in document.table(place).items():
        with document.errors_at((*place, name)):
            setting = ProjectSetting(table=table, name=name, value=value, agent=agent)
            if setting.may_act:
                value = check_setting(table.settings_class, name, value)
        yield ProjectSetting(table=table, name=name, value=value, agent=agent)


@lru_cache(maxsize=64)
def _build_layer(path: Path, content: FileContent) -> ProjectLayer:
    """What acts of a content that the user has agreed to; said again, it costs nothing."""
    settings = parse_project_settings(content)
    acting = [each for each in settings if each.may_act]
    refused = dict.fromkeys(f"{each.table}.{each.name}" for each in settings if not each.may_act)
    agents = dict.fromkeys(each.agent for each in acting if each.agent is not None)
    return ProjectLayer(
        path=path,
        values={table: _values_of(acting, table, None) for table in SettingsTable},
        agents={
            agent: _values_of(acting, SettingsTable.MEMORY_INJECTION, agent) for agent in agents
        },
        ignored=tuple(
            IgnoredSetting(file=to_printable_path(path), setting=name, reason=NOT_FOR_PROJECTS)
            for name in refused
        ),
    )


def _values_of(settings: list[ProjectSetting], table: SettingsTable, agent: str | None) -> Values:
    found = [each for each in settings if each.table is table and each.agent == agent]
    return {each.name: each.value for each in found}
