"""The parts of Tacit in a client's configuration: hooks, and the MCP server.

Each knows whether it stands in a text as it should, how it is put in, and how it is taken out. What
belongs to others is never touched.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tacit.integrations.hooks.installing import tables
from tacit.integrations.hooks.installing.jsonc import Document, Node
from tacit.integrations.hooks.installing.program import NAME, Program, hook_words, serves
from tacit.integrations.hooks.installing.splice import Spliced

SERVERS = "mcpServers"


class Part(Protocol):
    """Something of ours in a file."""

    @property
    def is_server(self) -> bool:
        """Whether it is the MCP server, which people may not want."""

    def is_there(self, text: str, path: Path) -> bool:
        """Whether it is in the text, of this installation or of any other."""

    def is_current(self, text: str, path: Path) -> bool:
        """Whether it is there as it would be put in."""

    def add(self, spliced: Spliced, path: Path) -> Spliced:
        """The text with it; it must not be there."""

    def remove(self, text: str, path: Path) -> str:
        """The text without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """A command for each of a client's events."""

    client: str
    program: Program
    timeouts: Mapping[str, int]
    extras: Mapping[str, str]
    off: Mapping[str, Any]
    """What turns all hooks off where a file says so."""
    is_server: bool = False

    def is_off(self, text: str, path: Path) -> bool:
        """Whether the client runs no hooks at all."""
        root = Document(text, path).root
        said = root.plain() if root is not None and root.kind == "{" else {}
        return any(_contains(said.get(name), value) for name, value in self.off.items())

    def is_there(self, text: str, path: Path) -> bool:
        """Whether any hook of ours is there."""
        return bool(self.commands(text, path))

    def is_current(self, text: str, path: Path) -> bool:
        """Whether every event has the one that it should have."""
        wanted = hook_words(self.program.hook(self.client), self.client)
        found = [(event, words) for event, words, _ in self._found(Document(text, path))]
        return sorted(found) == sorted((event, wanted) for event in self.timeouts)

    def commands(self, text: str, path: Path) -> dict[str, tuple[str, ...]]:
        """The words of our command at each event that has one."""
        return {event: words for event, words, _ in self._found(Document(text, path))}

    def add(self, spliced: Spliced, path: Path) -> Spliced:
        """A group of its own at the end of each event."""
        for event, timeout in self.timeouts.items():
            entry = {
                "type": "command",
                **self.extras,
                "command": self.program.hook(self.client),
                "timeout": timeout,
            }
            document = Document(spliced.text, path)
            spliced = spliced.plus(document.append(("hooks", event), {"hooks": [entry]}))
        return spliced

    def remove(self, text: str, path: Path) -> str:
        """Every hook of ours, also in groups that others made."""
        document = Document(text, path)
        while (found := next(self._found(document), None)) is not None:
            document = Document(document.without(found[2]), path)
        return document.text

    def _found(self, document: Document) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
        """Event, words and place of each hook of ours."""
        place = document.root.index("hooks") if document.root is not None else None
        if document.root is None or place is None:
            return
        for number, event in enumerate(document.root.items[place].node.items):
            for trail, entry in _entries(event.node):
                words = hook_words(_plain_member(entry, "command"), self.client)
                if event.key is not None and words is not None:
                    yield event.key, words, [place, number, *trail]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonServer:
    """The MCP server in a JSON file."""

    program: Program
    extras: Mapping[str, Any]
    is_server: bool = True

    def is_there(self, text: str, path: Path) -> bool:
        """Whether a server of our name is there; somebody else's is refused."""
        node = _server(Document(text, path))
        if node is None:
            return False
        if not serves(_plain_member(node, "command"), _plain_member(node, "args")):
            Document(text, path).refuse(node.start, f"{SERVERS}.{NAME} {tables.FOREIGN}")
        return True

    def is_current(self, text: str, path: Path) -> bool:
        """Whether it runs this installation; what people added to it may stay."""
        node = _server(Document(text, path))
        return node is not None and tables.runs(node.plain(), self.program)

    def add(self, spliced: Spliced, path: Path) -> Spliced:
        """A member of the servers."""
        value = {"command": self.program.command, "args": self.program.arguments, **self.extras}
        return spliced.plus(Document(spliced.text, path).put((SERVERS, NAME), value))

    def remove(self, text: str, path: Path) -> str:
        """The text without it."""
        document = Document(text, path)
        if not self.is_there(text, path) or document.root is None:
            return text
        outer = document.root.index(SERVERS)
        assert outer is not None
        inner = document.root.items[outer].node.index(NAME)
        assert inner is not None
        return document.without([outer, inner])


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlServer:
    """The MCP server in a TOML file."""

    program: Program
    is_server: bool = True

    def is_there(self, text: str, path: Path) -> bool:
        """Whether a server of our name is there; somebody else's is refused."""
        found = tables.server(text, path)
        return found is not None and tables.ours(found, path)

    def is_current(self, text: str, path: Path) -> bool:
        """Whether it runs this installation."""
        return tables.runs(tables.server(text, path), self.program)

    def add(self, spliced: Spliced, path: Path) -> Spliced:
        """A table at the end."""
        return spliced.plus(tables.adding(spliced.text, path, self.program))

    def remove(self, text: str, path: Path) -> str:
        """The text without its table."""
        return tables.without(text, path) if self.is_there(text, path) else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What makes a folder a plugin."""

    content: Mapping[str, Any]
    is_server: bool = False

    def is_there(self, text: str, path: Path) -> bool:
        """Whether the folder is our plugin; another's is refused."""
        root = Document(text, path).root
        if root is None:
            return False
        if _plain_member(root, "name") != NAME:
            Document(text, path).refuse(root.start, "is another plugin's; name another folder")
        return True

    def is_current(self, text: str, path: Path) -> bool:
        """Whether it says what it should."""
        root = Document(text, path).root
        return root is not None and root.plain() == self.content

    def add(self, spliced: Spliced, path: Path) -> Spliced:
        """The whole file."""
        return spliced.plus(Document(spliced.text, path).put((), self.content))

    def remove(self, text: str, path: Path) -> str:
        """Nothing is left of it."""
        return "" if self.is_there(text, path) else text


def is_empty(text: str) -> bool:
    """Whether a configuration says nothing."""
    try:
        return not text.strip() or json.loads(text) == {}
    except ValueError:
        return False


def _entries(event: Node) -> Iterator[tuple[list[int], Node]]:
    """The hooks of an event, with the way to each; what has another shape is not ours."""
    for number, group in enumerate(event.items if event.kind == "[" else ()):
        place = group.node.index("hooks")
        inside = None if place is None else group.node.items[place].node
        if place is None or inside is None or inside.kind != "[":
            continue
        for last, entry in enumerate(inside.items):
            yield [number, place, last], entry.node


def _plain_member(node: Node, key: str) -> Any:
    found = node.member(key)
    return None if found is None else found.plain()


def _contains(said: Any, wanted: Any) -> bool:
    if isinstance(said, dict) and isinstance(wanted, Mapping):
        return all(said.get(name) == value for name, value in wanted.items())
    return bool(said == wanted)


def _server(document: Document) -> Node | None:
    servers = document.root.member(SERVERS) if document.root is not None else None
    return None if servers is None else servers.member(NAME)
