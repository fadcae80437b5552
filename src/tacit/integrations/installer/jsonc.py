"""JSON with comments: where each value stands, so that text can be inserted or removed."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

from tacit.core.errors import ConfigError
from tacit.integrations.installer.insertions import Insertion

_NAMES = {"{": "an object", "[": "a list"}
_CLOSING = {"{": "}", "[": "]"}
_GAP = re.compile(r"(?:[ \t\r\n]++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*+|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*+"')
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_INDENT = re.compile(r"[ \t]*")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class JsonItem:
    """A member of an object, or an element of a list, which has no key."""

    key: str | None
    start: int
    node: "JsonNode"
    comma: int | None
    """Where the comma after it stands."""


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and its position; only scalars have a `value`."""

    kind: str
    start: int
    end: int
    items: tuple[JsonItem, ...] = ()
    value: Any = None

    def member(self, key: str) -> "JsonNode | None":
        """The value of a key; of a key that is there twice the last, as clients read it."""
        place = self.index(key)
        return None if place is None else self.items[place].node

    def index(self, key: str) -> int | None:
        """Which of the members has this key."""
        places = [place for place, each in enumerate(self.items) if each.key == key]
        return places[-1] if places and self.kind == "{" else None

    def to_plain(self) -> Any:
        """The plain Python value."""
        if self.kind == "{":
            return {each.key: each.node.to_plain() for each in self.items}
        if self.kind == "[":
            return [each.node.to_plain() for each in self.items]
        return self.value


class JsonDocument:
    """The text of a file, parsed; a text without a value has no root."""

    def __init__(self, text: str, path: Path) -> None:
        self.text = text
        self.path = path
        start = self._gap(len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0)
        self.root: JsonNode | None = None
        if start < len(text):
            self.root = self._whole(start)

    def refuse(self, position: int, problem: str) -> NoReturn:
        """Raise ConfigError with the line of the problem."""
        line = self.text.count("\n", 0, position) + 1
        raise ConfigError(f"{self.path}, line {line}: {problem}; correct it, then run this again")

    def put(self, place: Sequence[str], value: Any) -> tuple[Insertion, ...]:
        """The insertions that put a value at a path where there is none."""
        node, rest = self._descend(place)
        if node is None:
            return self._start_document(_nest(rest, value))
        if not rest:
            self.refuse(node.start, f"{place[-1]} is there already")
        return self._insert_last(node, rest[0], _nest(rest[1:], value))

    def append(self, place: Sequence[str], element: Any) -> tuple[Insertion, ...]:
        """The insertions that append an element to the list at a path."""
        node, rest = self._descend(place)
        if node is None or rest:
            return self.put(place, [element])
        self.require(node, "[", place[-1])
        return self._insert_last(node, None, element)

    def remove_item(self, trail: Sequence[int]) -> str:
        """The text without the item at a path, and without containers left empty."""
        assert self.root is not None
        *upper, container = self._containers(trail)
        place = trail[-1]
        while upper and self._holds_nothing_else(container):
            container, place = upper.pop(), trail[len(upper)]
        if not upper and self._holds_nothing_else(container):
            return self.text[: container.start + 1] + self.text[container.end - 1 :]
        return self._remove_item(container, place)

    def require(self, node: JsonNode, kind: str, name: str) -> None:
        """Raise ConfigError if a value has another type than clients expect."""
        if node.kind != kind:
            self.refuse(node.start, f"{name}: expected {_NAMES[kind]}")

    def _descend(self, place: Sequence[str]) -> tuple[JsonNode | None, Sequence[str]]:
        """The innermost existing value on a path, and the rest of the path."""
        node = self.root
        if node is None:
            return None, place
        name = "the file"
        for number, key in enumerate(place):
            self.require(node, "{", name)
            child = node.member(key)
            if child is None:
                return node, place[number:]
            node, name = child, key
        return node, ()

    def _start_document(self, value: Any) -> tuple[Insertion, ...]:
        before = "" if not self.text or self.text.endswith("\n") else self._newline
        written = self._serialize(value, "", is_inline=False)
        return (Insertion(len(self.text), before + written + self._newline),)

    def _insert_last(self, node: JsonNode, key: str | None, value: Any) -> tuple[Insertion, ...]:
        """A last item: a comma right after the one before it, and itself after all comments."""
        is_inline = self._is_inline(node)
        indent = "" if is_inline else self._indent_in(node)
        written = self._serialize(value, indent, is_inline=is_inline)
        if key is not None:
            written = f"{json.dumps(key, ensure_ascii=False)}: {written}"
        inside = node.items[-1].node.end if node.items else node.start + 1
        end = self._last_gap(inside, node.end - 1)
        if not is_inline:
            written = self._newline + indent + written
        elif node.items:
            written = " " + written
        if not node.items:
            return (self._insert_only(node, end, written),)
        if node.items[-1].comma is not None:
            return (Insertion(end, written + ","),)
        return (Insertion(inside, ","), Insertion(end, written))

    def _insert_only(self, node: JsonNode, end: int, written: str) -> Insertion:
        """An only item; the bracket after it is on a line of its own if that before it is."""
        if written.startswith(self._newline) and "\n" not in self.text[end : node.end - 1]:
            return Insertion(node.end - 1, written + self._newline + self._indent_at(node.start))
        return Insertion(end, written)

    def _last_gap(self, start: int, end: int) -> int:
        """Where the white space begins that is last in a stretch."""
        return start + len(self.text[start:end].rstrip(" \t\r\n"))

    def _serialize(self, value: Any, indent: str, *, is_inline: bool) -> str:
        if is_inline:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self._unit).split("\n")
        return (self._newline + indent).join(lines)

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def _unit(self) -> str:
        """One step of the file's own indentation."""
        if self.root is not None and self.root.items and not self._is_inline(self.root):
            outer, inner = self._indent_at(self.root.start), self._indent_in(self.root)
            if inner.startswith(outer) and inner != outer:
                return inner.removeprefix(outer)
        return "  "

    def _is_inline(self, node: JsonNode) -> bool:
        """Whether its items stand on one line; of an empty value, whether those of the root do."""
        if not node.items:
            is_lone = self.root is None or not self.root.items
            is_broken = "\n" in self.text[node.start : node.end]
            return not is_lone and not is_broken and self._is_inline(cast(JsonNode, self.root))
        first, last = node.items[0].start, node.items[-1].node.end
        return "\n" not in self.text[node.start : first] + self.text[last : node.end]

    def _indent_in(self, node: JsonNode) -> str:
        if node.items:
            before = self.text[: node.items[0].start].rpartition("\n")[2]
            if not before.strip(" \t"):
                return before
        return self._indent_at(node.start) + (self._unit if node is not self.root else "  ")

    def _indent_at(self, position: int) -> str:
        """The white space that the line of a position begins with."""
        start = self.text.rfind("\n", 0, position) + 1
        found = _INDENT.match(self.text, start, position)
        return found.group() if found else ""

    def _containers(self, trail: Sequence[int]) -> Iterator[JsonNode]:
        node = self.root
        for place in trail:
            assert node is not None
            yield node
            node = node.items[place].node

    def _holds_nothing_else(self, node: JsonNode) -> bool:
        """Whether it has one item, and no comment."""
        if len(node.items) != 1:
            return False
        item = node.items[0]
        around = self.text[node.start + 1 : item.start] + self.text[item.node.end : node.end - 1]
        return not around.replace(",", "").strip(" \t\r\n")

    def _remove_item(self, container: JsonNode, place: int) -> str:
        """The text without an item, the white space before it, and one comma."""
        items, item = container.items, container.items[place]
        floor = container.start + 1 if place == 0 else items[place - 1].node.end
        text, end = self.text, item.node.end
        start = self._last_gap(floor, item.start)
        if _ends_in_remark(text[floor:start]) and not _ends_line(text, end):
            start = item.start
        if item.comma is not None:
            after = item.comma + 1
            if start == item.start:
                after += len(text[after:]) - len(text[after:].lstrip(" \t"))
            return text[:start] + text[end : item.comma] + text[after:]
        if place == 0:
            return text[:start] + text[end:]
        comma = items[place - 1].comma
        assert comma is not None
        return text[:comma] + text[comma + 1 : start] + text[end:]

    def _whole(self, start: int) -> JsonNode:
        try:
            root = self._value(start)
        except RecursionError:
            self.refuse(start, "is nested too deeply")
        end = self._gap(root.end)
        if end < len(self.text):
            self.refuse(end, "something follows the end of the JSON value")
        return root

    def _gap(self, position: int) -> int:
        """Where white space and comments end."""
        found = _GAP.match(self.text, position)
        assert found is not None
        return found.end()

    def _value(self, position: int) -> JsonNode:
        kind = self.text[position : position + 1]
        if kind in _CLOSING:
            return self._container(position, kind)
        found = (_STRING if kind == '"' else _SCALAR).match(self.text, position)
        if found is None:
            self.refuse(position, f"expected a JSON value, not {self._excerpt(position)}")
        return JsonNode("", position, found.end(), value=self._decode(found))

    def _decode(self, found: re.Match[str]) -> Any:
        try:
            return json.loads(found.group())
        except ValueError:
            self.refuse(found.start(), f"{found.group()[:40]} is not JSON")

    def _container(self, start: int, kind: str) -> JsonNode:
        items: list[JsonItem] = []
        position = self._gap(start + 1)
        while not self.text.startswith(_CLOSING[kind], position):
            if items and items[-1].comma is None:
                self._refuse_unclosed(start, position, kind)
            items.append(self._item(position, kind))
            position = self._gap((items[-1].comma or items[-1].node.end - 1) + 1)
        return JsonNode(kind, start, position + 1, tuple(items))

    def _refuse_unclosed(self, start: int, position: int, kind: str) -> NoReturn:
        if position >= len(self.text):
            self.refuse(start, f"{_NAMES[kind]} begins here and does not end")
        self.refuse(position, f"expected , or {_CLOSING[kind]}, not {self._excerpt(position)}")

    def _item(self, start: int, kind: str) -> JsonItem:
        key, position = None, start
        if kind == "{":
            found = _STRING.match(self.text, start)
            if found is None:
                self.refuse(start, f"expected a name in quotes, not {self._excerpt(start)}")
            key, colon = self._decode(found), self._gap(found.end())
            if not self.text.startswith(":", colon):
                self.refuse(colon, f"expected : after {found.group()[:40]}")
            position = self._gap(colon + 1)
        node = self._value(position)
        after = self._gap(node.end)
        return JsonItem(key, start, node, after if self.text.startswith(",", after) else None)

    def _excerpt(self, position: int) -> str:
        return repr(self.text[position]) if position < len(self.text) else "the end of the file"


def _ends_in_remark(gap: str) -> bool:
    """Whether whatever followed in the line would be part of a comment."""
    comments = list(_COMMENT.finditer(gap))
    return bool(comments) and comments[-1].end() == len(gap) and comments[-1][0].startswith("//")


def _ends_line(text: str, position: int) -> bool:
    """Whether nothing but a comma follows in a line."""
    return not text[position:].partition("\n")[0].strip(" \t\r,") and "\n" in text[position:]


def _nest(place: Sequence[str], value: Any) -> Any:
    for key in reversed(place):
        value = {key: value}
    return value
