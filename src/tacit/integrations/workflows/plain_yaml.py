"""YAML as far as lifecycle files need it: plain values, each with the line it stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import yaml

from tacit.core.errors import InvalidInput

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
    """Something in a text that is not taken, with its line and key."""

    def __init__(self, line: int, key: str, problem: str) -> None:
        super().__init__(key or f"line {line}", problem)
        self.line = line
        self.key = key


class _Loader(yaml.SafeLoader):
    """Plain values only: no dates, and nothing that stands in two places."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.problems: list[Misread] = []
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Read on, but follow no alias: a few of them can unfold without end."""
        if self.check_event(yaml.AliasEvent):
            event = self.get_event()  # type: ignore[no-untyped-call]
            mark = event.start_mark
            problem = "aliases (*name) are not taken; write the value again"
            self.problems.append(Misread(mark.line + 1, f"*{event.anchor}", problem))
            return yaml.ScalarNode("tag:yaml.org,2002:null", "null", mark, event.end_mark)
        if self._depth > _DEEPEST:  # no further: reading what is open takes its depth each time
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(
                problem="it is nested too deeply; make it flatter", problem_mark=mark
            )
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(text: str) -> tuple[Node, list[Misread]]:
    """What a text says, and everything in it that is not taken.

    After an error of syntax nothing can be told of the rest.
    """
    try:
        loader = _Loader(text)
    except yaml.YAMLError as error:
        return Node({}, 1), [_invalid(error)]
    try:
        composed = loader.get_single_node()
        root = Node({}, 1) if composed is None else _read(loader, composed, "", 0)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return Node({}, 1), [*loader.problems, _invalid(error)]
    finally:
        loader.dispose()
    return root, loader.problems


def _invalid(error: Exception) -> Misread:
    """An error of syntax, and where it is."""
    told: object = error
    line = 1
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        told = error.problem or error.context
    return Misread(line, "", f"is not valid YAML: {told}")


def _read(loader: _Loader, node: yaml.Node, key: str, depth: int) -> Node:
    line = node.start_mark.line + 1
    if depth > _DEEPEST:
        loader.problems.append(Misread(line, key, "is nested too deeply; make it flatter"))
        return Node(None, line)
    if isinstance(node, yaml.MappingNode):
        return Node(_mapping(loader, node, depth), line)
    if isinstance(node, yaml.SequenceNode):
        return Node(tuple(_read(loader, each, key, depth + 1) for each in node.value), line)
    try:
        value = loader.construct_object(node)
    except yaml.YAMLError as error:
        loader.problems.append(Misread(line, key, _invalid(error).problem))
        return Node(None, line)
    is_plain = isinstance(value, str | int | bool | None)
    if not is_plain and not (isinstance(value, float) and isfinite(value)):
        problem = f"{node.tag} is not taken; write text, a number, true or false"
        loader.problems.append(Misread(line, key, problem))
        return Node(None, line)
    return Node(value, line)


def _mapping(loader: _Loader, node: yaml.MappingNode, depth: int) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for name_node, value_node in node.value:
        line = name_node.start_mark.line + 1
        name = _read(loader, name_node, "", depth + 1).value
        if not isinstance(name, str):
            problem = f"{name!r} is not a name; write text before the colon"
            loader.problems.append(Misread(line, str(name), problem))
        elif name in found:
            loader.problems.append(Misread(line, name, "is there twice; keep one"))
        else:
            found[name] = Node(_read(loader, value_node, name, depth + 1).value, line)
    return found
