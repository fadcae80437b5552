"""The MCP server's table in a TOML file, put in and taken out as text."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from tacit.core.errors import ConfigError
from tacit.integrations.hooks.installing.program import NAME, Program, serves
from tacit.integrations.hooks.installing.splice import Insertion
from tacit.settings.config.document import Document
from tacit.settings.config.statements import Statement, statements

SERVERS = "mcp_servers"
FOREIGN = "is another program's; rename it, or install with --no-mcp"

_PLACE = (SERVERS, NAME)
_PASSED_ON = (
    "TACIT_DB",
    "TACIT_WORKSPACE",
    "TACIT_CONFIG",
    "TACIT_USER",
    "TACIT_AGENT",
    "TACIT_EMBEDDER",
    "TACIT_CACHE",
)
"""What a server has to know to serve the memory of the hooks; Codex passes on nothing by itself."""


def server(text: str, path: Path) -> Any:
    """What the file says of a server of our name, if anything."""
    servers = Document.of(path, text).table((SERVERS,))
    return servers.get(NAME)


def ours(found: Any, path: Path) -> bool:
    """Whether a server is Tacit's; another's is refused."""
    if not isinstance(found, Mapping) or not serves(found.get("command"), found.get("args")):
        raise ConfigError(f"{path}: {SERVERS}.{NAME} {FOREIGN}")
    return True


def runs(found: Any, program: Program) -> bool:
    """Whether a server runs this program, with any options."""
    if not isinstance(found, Mapping) or found.get("command") != program.command:
        return False
    arguments, wanted = found.get("args"), program.arguments
    return isinstance(arguments, list) and arguments[: len(wanted)] == wanted


def adding(text: str, path: Path, program: Program) -> tuple[Insertion, ...]:
    """What puts the table at the end, or where servers are written in another way."""
    newline = "\r\n" if "\r\n" in text else "\n"
    value: dict[str, str | list[str]] = {
        "command": program.command,
        "args": program.arguments,
        "env_vars": list(_PASSED_ON),
    }
    lines = [f"[{SERVERS}.{NAME}]", *(f"{key} = {_written(each)}" for key, each in value.items())]
    before = "" if not text else newline if text.endswith("\n") else 2 * newline
    insertion = Insertion(len(text), before + newline.join(lines) + newline)
    content = Document.of(path, text).content
    wanted = {**content, SERVERS: {**content.get(SERVERS, {}), NAME: value}}
    if _says(text + insertion.text, wanted):
        return (insertion,)
    return _inside(text, path, value, wanted)


def without(text: str, path: Path) -> str:
    """The text without the table; comments around it stay."""
    kept: list[str] = []
    waiting: list[str] = []
    is_inside = False
    for each in statements(text):
        if _is_ours(each):
            if not is_inside and kept and not kept[-1].strip():
                kept.pop()
            is_inside, waiting = True, []
        elif is_inside and not each.content:
            waiting.append(each.text)
        else:
            is_inside = False
            kept += [*waiting, each.text]
            waiting = []
    shorter = "".join([*kept, *waiting])
    wanted = _less(Document.of(path, text).content)
    return shorter if _says(shorter, wanted) else _rewritten(text, path, wanted)


def _is_ours(statement: Statement) -> bool:
    if statement.table[:2] == _PLACE:
        return statement.is_header or bool(statement.content)
    places = [place for place in statement.places() if len(place) > 1]
    return bool(places) and all(place[:2] == _PLACE for place in places)


def _less(content: Mapping[str, Any]) -> dict[str, Any]:
    """What is left of a content; servers are left out where there are no others."""
    servers = {name: each for name, each in content[SERVERS].items() if name != NAME}
    rest = {name: each for name, each in content.items() if name != SERVERS}
    return {**rest, SERVERS: servers} if servers else rest


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        found = tomllib.loads(text)
    except ValueError:
        return False
    return _solid(found) == _solid(wanted)


def _solid(content: Mapping[str, Any]) -> dict[str, Any]:
    """Without an empty table of servers, which says nothing."""
    return {name: each for name, each in content.items() if name != SERVERS or each}


def _inside(
    text: str, path: Path, value: Mapping[str, Any], wanted: Mapping[str, Any]
) -> tuple[Insertion, ...]:
    try:
        document: Any = tomlkit.parse(text)
        table = tomlkit.inline_table()
        table.update(value)
        document[SERVERS][NAME] = table
        written = tomlkit.dumps(document)
    except (TOMLKitError, LookupError, TypeError, ValueError) as error:
        raise _unchangeable(path) from error
    start = next((at for at, (a, b) in enumerate(zip(text, written, strict=False)) if a != b), 0)
    rest = len(text) - start
    if not _says(written, wanted) or (rest and not written.endswith(text[start:])):
        raise _unchangeable(path)
    return (Insertion(start, written[start : len(written) - rest]),)


def _rewritten(text: str, path: Path, wanted: Mapping[str, Any]) -> str:
    try:
        document: Any = tomlkit.parse(text)
        del document[SERVERS][NAME]
        written = tomlkit.dumps(document)
    except (TOMLKitError, LookupError, TypeError, ValueError) as error:
        raise _unchangeable(path) from error
    if not _says(written, wanted):
        raise _unchangeable(path)
    return written


def _unchangeable(path: Path) -> ConfigError:
    problem = f"{SERVERS} is written in a way that no program can change"
    return ConfigError(f"{path}: {problem}; write it as [{SERVERS}.NAME] tables, then run it again")


def _written(value: str | list[str]) -> str:
    """As TOML, whose strings and lists of strings may be written as JSON writes them."""
    return json.dumps(value, ensure_ascii=False)
