"""YAML as far as lifecycle files need it: plain values, each with the line it stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import yaml

from tacit.errors import InvalidInput

_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a file and its line; mappings and lists hold further nodes."""

    value: Any
    line: int

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, Mapping):
            return {name: node.plain() for name, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        return self.value


class Misread(InvalidInput):
    """A text that is not the YAML that is taken here, and on which line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}", problem)
        self.line = line


class _Loader(yaml.SafeLoader):
    """Plain values only: no dates, and nothing that stands in two places."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Read on, but follow no alias: a few of them can unfold without end."""
        if self.check_event(yaml.AliasEvent):
            line = self.get_mark().line + 1
            raise Misread(line, "aliases (*name) are not taken; write the value again")
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text: str) -> Node:
    """What a text says, or where and why it cannot be read."""
    try:
        loader = _Loader(text)
        try:
            composed = loader.get_single_node()
            return Node({}, 1) if composed is None else _read(loader, composed, 0)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        raise Misread(line, f"is not valid YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, Misread):
            raise
        raise Misread(1, f"is not valid YAML: {error}") from None


def _read(loader: _Loader, node: yaml.Node, depth: int) -> Node:
    line = node.start_mark.line + 1
    if depth > _DEEPEST:
        raise Misread(line, "is nested too deeply; make it flatter")
    if isinstance(node, yaml.MappingNode):
        return Node(_mapping(loader, node, depth), line)
    if isinstance(node, yaml.SequenceNode):
        return Node(tuple(_read(loader, each, depth + 1) for each in node.value), line)
    value = loader.construct_object(node)
    is_plain = isinstance(value, str | int | bool | None)
    if not is_plain and not (isinstance(value, float) and isfinite(value)):
        raise Misread(line, f"{node.tag} is not taken; write text, a number, true or false")
    return Node(value, line)


def _mapping(loader: _Loader, node: yaml.MappingNode, depth: int) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for name_node, value_node in node.value:
        line = name_node.start_mark.line + 1
        name = _read(loader, name_node, depth + 1).value
        if not isinstance(name, str):
            raise Misread(line, f"{name!r} is not a name; write text before the colon")
        if name in found:
            raise Misread(line, f"{name} is there twice; keep one")
        found[name] = Node(_read(loader, value_node, depth + 1).value, line)
    return found
