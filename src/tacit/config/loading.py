"""Finding a configuration file and reading it together with the environment."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tacit.config.config import Config, Values
from tacit.config.document import Document
from tacit.config.environment import environment_values
from tacit.config.lines import Place
from tacit.memory import check as check_field
from tacit.settings import InjectionSettings, PostgresSettings, SearchSettings, check

CONFIG_VARIABLE = "TACIT_CONFIG"
FILE_NAME = "tacit.toml"

_TABLES = ("defaults", "agents", "search", "postgres", "grounding", "writing", "upkeep", "server")
_INJECTION = "memory_injection"
_INJECTION_PREFIXES = ("TACIT_MEMORY_INJECTION_", "AGENT_RUNTIME_MEMORY_INJECTION_")
_SEARCH_PREFIXES = ("TACIT_SEARCH_",)
_POSTGRES_PREFIXES = ("TACIT_POSTGRES_",)


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
    document = Document() if path is None else Document.read(path)
    document.allow((), _TABLES)
    document.allow(("defaults",), (_INJECTION,))
    searching = environment_values(environment, SearchSettings, _SEARCH_PREFIXES)
    storing = environment_values(environment, PostgresSettings, _POSTGRES_PREFIXES)
    injecting = environment_values(environment, InjectionSettings, _INJECTION_PREFIXES)
    return Config(
        path=path,
        search=SearchSettings(**{**_settings(document, ("search",), SearchSettings), **searching}),
        postgres=PostgresSettings(
            **{**_settings(document, ("postgres",), PostgresSettings), **storing}
        ),
        defaults=_settings(document, ("defaults", _INJECTION), InjectionSettings),
        environment=MappingProxyType(injecting),
        overrides=_agents(document),
    )


def _agents(document: Document) -> Mapping[str, Values]:
    agents: dict[str, Values] = {}
    for number in range(len(document.tables("agents"))):
        place: Place = ("agents", number)
        document.allow(place, ("id", _INJECTION))
        name = _agent_id(document, place)
        if name in agents:
            problem = f"{name!r} is an agent further up already; give each agent one table"
            raise document.error((*place, "id"), problem)
        agents[name] = _settings(document, (*place, _INJECTION), InjectionSettings)
    return MappingProxyType(agents)


def _agent_id(document: Document, place: Place) -> str:
    given = document.table(place).get("id")
    if given is None:
        raise document.error(place, 'has no id; add one, such as id = "coder"')
    with document.locating((*place, "id")):
        return str(check_field("agent", given))


def _settings(document: Document, place: Place, settings_class: type) -> Values:
    values = {}
    for name, value in document.table(place).items():
        with document.locating((*place, name)):
            values[name] = check(settings_class, name, value)
    return MappingProxyType(values)
