"""The parts of Tacit in a client's configuration: hooks, the MCP server, a plugin manifest.

Each part knows whether a text contains it, how to insert it, and how to remove it. Entries of other
programs are never touched.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import tomlkit
from tomlkit.exceptions import TOMLKitError

from tacit.core.errors import ConfigError
from tacit.integrations.installer.insertions import EditedText, Insertion
from tacit.integrations.installer.jsonc import JsonDocument, JsonNode
from tacit.integrations.installer.program import (
    PROGRAM_NAME,
    Program,
    is_our_server,
    parse_hook_command,
)
from tacit.settings.loader import ConfigDocument
from tacit.settings.toml_edit import TomlStatement, parse_statements

# The MCP server's table in a TOML file, inserted and removed as text


TOML_SERVERS = "mcp_servers"
FOREIGN_SERVER = "is another program's; rename it, or install with --no-mcp"

_TOML_PLACE = (TOML_SERVERS, PROGRAM_NAME)
_PASSED_VARIABLES = (
    "TACIT_DB",
    "TACIT_WORKSPACE",
    "TACIT_CONFIG",
    "TACIT_USER",
    "TACIT_AGENT",
    "TACIT_EMBEDDER",
    "TACIT_CACHE",
)
"""Variables that the server needs; Codex passes on none by itself."""


def read_toml_server(text: str, path: Path) -> Any:
    """The file's entry for a server of our name, if any."""
    servers = ConfigDocument.of(path, text).table((TOML_SERVERS,))
    return servers.get(PROGRAM_NAME)


def check_ours(found: Any, path: Path) -> bool:
    """Check that a server is Tacit's; raise ConfigError for another program's."""
    if not isinstance(found, Mapping) or not is_our_server(found.get("command"), found.get("args")):
        raise ConfigError(f"{path}: {TOML_SERVERS}.{PROGRAM_NAME} {FOREIGN_SERVER}")
    return True


def runs_program(found: Any, program: Program) -> bool:
    """Whether a server runs this program, with any options."""
    if not isinstance(found, Mapping) or found.get("command") != program.command:
        return False
    arguments, wanted = found.get("args"), program.arguments
    return isinstance(arguments, list) and arguments[: len(wanted)] == wanted


def insert_toml_server(text: str, path: Path, program: Program) -> tuple[Insertion, ...]:
    """The insertion that adds the table at the end, or inline where servers are inline."""
    newline = "\r\n" if "\r\n" in text else "\n"
    value: dict[str, str | list[str]] = {
        "command": program.command,
        "args": program.arguments,
        "env_vars": list(_PASSED_VARIABLES),
    }
    lines = [
        f"[{TOML_SERVERS}.{PROGRAM_NAME}]",
        *(f"{key} = {_to_toml(each)}" for key, each in value.items()),
    ]
    before = "" if not text else newline if text.endswith("\n") else 2 * newline
    insertion = Insertion(len(text), before + newline.join(lines) + newline)
    content = ConfigDocument.of(path, text).content
    wanted = {**content, TOML_SERVERS: {**content.get(TOML_SERVERS, {}), PROGRAM_NAME: value}}
    if _has_content(text + insertion.text, wanted):
        return (insertion,)
    return _insert_inline(text, path, value, wanted)


def remove_toml_server(text: str, path: Path) -> str:
    """The text without the table; comments around it stay."""
    kept: list[str] = []
    waiting: list[str] = []
    is_inside = False
    for each in parse_statements(text):
        if _is_our_statement(each):
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
    wanted = _without_server(ConfigDocument.of(path, text).content)
    return shorter if _has_content(shorter, wanted) else _rewrite_without(text, path, wanted)


def _is_our_statement(statement: TomlStatement) -> bool:
    if statement.table[:2] == _TOML_PLACE:
        return statement.is_header or bool(statement.content)
    places = [place for place in statement.places() if len(place) > 1]
    return bool(places) and all(place[:2] == _TOML_PLACE for place in places)


def _without_server(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content without our server, and without an empty table of servers."""
    servers = {name: each for name, each in content[TOML_SERVERS].items() if name != PROGRAM_NAME}
    rest = {name: each for name, each in content.items() if name != TOML_SERVERS}
    return {**rest, TOML_SERVERS: servers} if servers else rest


def _has_content(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        found = tomllib.loads(text)
    except ValueError:
        return False
    return _without_empty_servers(found) == _without_empty_servers(wanted)


def _without_empty_servers(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content without an empty table of servers."""
    return {name: each for name, each in content.items() if name != TOML_SERVERS or each}


def _insert_inline(
    text: str, path: Path, value: Mapping[str, Any], wanted: Mapping[str, Any]
) -> tuple[Insertion, ...]:
    try:
        document: Any = tomlkit.parse(text)
        table = tomlkit.inline_table()
        table.update(value)
        document[TOML_SERVERS][PROGRAM_NAME] = table
        written = tomlkit.dumps(document)
    except (TOMLKitError, LookupError, TypeError, ValueError) as error:
        raise _unchangeable_error(path) from error
    start = next((at for at, (a, b) in enumerate(zip(text, written, strict=False)) if a != b), 0)
    rest = len(text) - start
    if not _has_content(written, wanted) or (rest and not written.endswith(text[start:])):
        raise _unchangeable_error(path)
    return (Insertion(start, written[start : len(written) - rest]),)


def _rewrite_without(text: str, path: Path, wanted: Mapping[str, Any]) -> str:
    try:
        document: Any = tomlkit.parse(text)
        del document[TOML_SERVERS][PROGRAM_NAME]
        written = tomlkit.dumps(document)
    except (TOMLKitError, LookupError, TypeError, ValueError) as error:
        raise _unchangeable_error(path) from error
    if not _has_content(written, wanted):
        raise _unchangeable_error(path)
    return written


def _unchangeable_error(path: Path) -> ConfigError:
    problem = f"{TOML_SERVERS} is written in a way that no program can change"
    return ConfigError(
        f"{path}: {problem}; write it as [{TOML_SERVERS}.NAME] tables, then run it again"
    )


def _to_toml(value: str | list[str]) -> str:
    """As TOML, whose strings and lists of strings may be written as JSON writes them."""
    return json.dumps(value, ensure_ascii=False)


# The parts


JSON_SERVERS = "mcpServers"


class ConfigPart(Protocol):
    """A part of Tacit in a configuration file."""

    @property
    def is_server(self) -> bool:
        """Whether it is the MCP server, which is optional."""

    def is_present(self, text: str, path: Path) -> bool:
        """Whether the text contains it, from this installation or another."""

    def is_current(self, text: str, path: Path) -> bool:
        """Whether the text contains it exactly as it would be inserted."""

    def add(self, spliced: EditedText, path: Path) -> EditedText:
        """Insert it; the text must not contain it."""

    def remove(self, text: str, path: Path) -> str:
        """The text without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HooksPart:
    """A command for each of a client's events."""

    client: str
    program: Program
    timeouts: Mapping[str, int]
    extras: Mapping[str, str]
    off: Mapping[str, Any]
    """Settings that turn all hooks off."""
    is_server: bool = False

    def is_off(self, text: str, path: Path) -> bool:
        """Whether the client runs no hooks at all."""
        root = JsonDocument(text, path).root
        said = root.to_plain() if root is not None and root.kind == "{" else {}
        return any(_contains(said.get(name), value) for name, value in self.off.items())

    def is_present(self, text: str, path: Path) -> bool:
        """Whether the text contains any hook of ours."""
        return bool(self.commands(text, path))

    def is_current(self, text: str, path: Path) -> bool:
        """Whether every event has exactly our hook."""
        wanted = parse_hook_command(self.program.hook(self.client), self.client)
        found = [(event, words) for event, words, _ in self._find_hooks(JsonDocument(text, path))]
        return sorted(found) == sorted((event, wanted) for event in self.timeouts)

    def commands(self, text: str, path: Path) -> dict[str, tuple[str, ...]]:
        """Our command, as words, for each event that has one."""
        return {event: words for event, words, _ in self._find_hooks(JsonDocument(text, path))}

    def add(self, spliced: EditedText, path: Path) -> EditedText:
        """Append a group of our own to each event."""
        for event, timeout in self.timeouts.items():
            entry = {
                "type": "command",
                **self.extras,
                "command": self.program.hook(self.client),
                "timeout": timeout,
            }
            document = JsonDocument(spliced.text, path)
            spliced = spliced.with_insertions(document.append(("hooks", event), {"hooks": [entry]}))
        return spliced

    def remove(self, text: str, path: Path) -> str:
        """Remove all our hooks, also from groups of others."""
        document = JsonDocument(text, path)
        while (found := next(self._find_hooks(document), None)) is not None:
            document = JsonDocument(document.remove_item(found[2]), path)
        return document.text

    def _find_hooks(
        self, document: JsonDocument
    ) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
        """Event, command and position of each hook of ours."""
        place = document.root.index("hooks") if document.root is not None else None
        if document.root is None or place is None:
            return
        for number, event in enumerate(document.root.items[place].node.items):
            for trail, entry in _hook_entries(event.node):
                words = parse_hook_command(_plain_member(entry, "command"), self.client)
                if event.key is not None and words is not None:
                    yield event.key, words, [place, number, *trail]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonServerPart:
    """The MCP server in a JSON file."""

    program: Program
    extras: Mapping[str, Any]
    is_server: bool = True

    def is_present(self, text: str, path: Path) -> bool:
        """Whether the text contains our server; raise ConfigError for another program's."""
        node = _json_server(JsonDocument(text, path))
        if node is None:
            return False
        if not is_our_server(_plain_member(node, "command"), _plain_member(node, "args")):
            JsonDocument(text, path).refuse(
                node.start, f"{JSON_SERVERS}.{PROGRAM_NAME} {FOREIGN_SERVER}"
            )
        return True

    def is_current(self, text: str, path: Path) -> bool:
        """Whether it runs this installation; other options may differ."""
        node = _json_server(JsonDocument(text, path))
        return node is not None and runs_program(node.to_plain(), self.program)

    def add(self, spliced: EditedText, path: Path) -> EditedText:
        """Add it to the servers."""
        value = {"command": self.program.command, "args": self.program.arguments, **self.extras}
        return spliced.with_insertions(
            JsonDocument(spliced.text, path).put((JSON_SERVERS, PROGRAM_NAME), value)
        )

    def remove(self, text: str, path: Path) -> str:
        """The text without it."""
        document = JsonDocument(text, path)
        if not self.is_present(text, path) or document.root is None:
            return text
        outer = document.root.index(JSON_SERVERS)
        assert outer is not None
        inner = document.root.items[outer].node.index(PROGRAM_NAME)
        assert inner is not None
        return document.remove_item([outer, inner])


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlServerPart:
    """The MCP server in a TOML file."""

    program: Program
    is_server: bool = True

    def is_present(self, text: str, path: Path) -> bool:
        """Whether the text contains our server; raise ConfigError for another program's."""
        found = read_toml_server(text, path)
        return found is not None and check_ours(found, path)

    def is_current(self, text: str, path: Path) -> bool:
        """Whether it runs this installation."""
        return runs_program(read_toml_server(text, path), self.program)

    def add(self, spliced: EditedText, path: Path) -> EditedText:
        """Append its table."""
        return spliced.with_insertions(insert_toml_server(spliced.text, path, self.program))

    def remove(self, text: str, path: Path) -> str:
        """The text without its table."""
        return remove_toml_server(text, path) if self.is_present(text, path) else text


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginManifest:
    """The manifest that makes a folder a plugin."""

    content: Mapping[str, Any]
    is_server: bool = False

    def is_present(self, text: str, path: Path) -> bool:
        """Whether the folder is our plugin; raise ConfigError for another's."""
        root = JsonDocument(text, path).root
        if root is None:
            return False
        if _plain_member(root, "name") != PROGRAM_NAME:
            JsonDocument(text, path).refuse(root.start, "is another plugin's; name another folder")
        return True

    def is_current(self, text: str, path: Path) -> bool:
        """Whether its content is current."""
        root = JsonDocument(text, path).root
        return root is not None and root.to_plain() == self.content

    def add(self, spliced: EditedText, path: Path) -> EditedText:
        """Write the whole file."""
        return spliced.with_insertions(JsonDocument(spliced.text, path).put((), self.content))

    def remove(self, text: str, path: Path) -> str:
        """Remove the whole content."""
        return "" if self.is_present(text, path) else text


def is_empty_config(text: str) -> bool:
    """Whether a configuration is empty."""
    try:
        return not text.strip() or json.loads(text) == {}
    except ValueError:
        return False


def _hook_entries(event: JsonNode) -> Iterator[tuple[list[int], JsonNode]]:
    """The hooks of an event, each with its position; entries of another shape are skipped."""
    for number, group in enumerate(event.items if event.kind == "[" else ()):
        place = group.node.index("hooks")
        inside = None if place is None else group.node.items[place].node
        if place is None or inside is None or inside.kind != "[":
            continue
        for last, entry in enumerate(inside.items):
            yield [number, place, last], entry.node


def _plain_member(node: JsonNode, key: str) -> Any:
    found = node.member(key)
    return None if found is None else found.to_plain()


def _contains(said: Any, wanted: Any) -> bool:
    if isinstance(said, dict) and isinstance(wanted, Mapping):
        return all(said.get(name) == value for name, value in wanted.items())
    return bool(said == wanted)


def _json_server(document: JsonDocument) -> JsonNode | None:
    servers = document.root.member(JSON_SERVERS) if document.root is not None else None
    return None if servers is None else servers.member(PROGRAM_NAME)
