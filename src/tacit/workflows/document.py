"""A lifecycle file: steps under the moments at which they run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tacit.errors import ConfigError, InvalidInput
from tacit.workflows.plain_yaml import Misread, Node, read_yaml
from tacit.workflows.trigger import ALIASES, Trigger

_LARGEST = 30_000
_OWN_KEYS = ("name", "description", "enabled", "variables")
_STEP_KEYS = ("action", "when", "into")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action, when it is taken, and with which arguments."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    when: str | None = None
    into: str | None = None
    """The variable that keeps the result, if one shall."""
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a lifecycle file says."""

    path: Path
    text: str
    name: str
    description: str = ""
    is_enabled: bool = True
    variables: Mapping[str, Any] = field(default_factory=dict)
    steps: Mapping[Trigger, tuple[Step, ...]] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        """What tells files apart: one of the same stem that is nearer takes this one's place."""
        return self.path.stem

    def error(self, line: int, problem: str) -> ConfigError:
        """An error that names the file and the line."""
        return _error(self.path, line, problem)


def read_document(path: Path) -> Document:
    """Read a lifecycle file, or say what is wrong with it and where."""
    return parse_document(path, _text(path))


def parse_document(path: Path, text: str) -> Document:
    """What a text says as the content of a file."""
    try:
        root = _root(read_yaml(text))
        said = {"name": path.stem, "steps": _steps(root)} | _own(root)
        return Document(path=path, text=text, **said)
    except Misread as error:
        raise _error(path, error.line, error.problem) from None


def _root(node: Node) -> Mapping[str, Node]:
    if not isinstance(node.value, Mapping):
        raise Misread(node.line, f"expected a list of steps under each of: {', '.join(Trigger)}")
    return node.value


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); name a file") from None
    if len(data) > _LARGEST:
        raise ConfigError(f"{path}: is larger than {_LARGEST:,} bytes; split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text; save it as UTF-8") from None


def _own(root: Mapping[str, Node]) -> dict[str, Any]:
    """What the file says about itself."""
    own: dict[str, Any] = {}
    for name, kind in (("name", str), ("description", str), ("enabled", bool)):
        if name in root:
            own[name] = _of_kind(root[name], name, kind)
    if "enabled" in own:
        own["is_enabled"] = own.pop("enabled")
    if "variables" in root:
        own["variables"] = _variables(root["variables"])
    return own


def _of_kind(node: Node, name: str, kind: type) -> Any:
    if not isinstance(node.value, kind):
        wanted = "true or false" if kind is bool else "text"
        raise Misread(node.line, f"{name}: expected {wanted}, not {node.plain()!r}")
    return node.value


def _variables(node: Node) -> Mapping[str, Any]:
    if not isinstance(node.value, Mapping):
        raise Misread(node.line, "variables: expected a value under each name")
    return {name: each.plain() for name, each in node.value.items()}


def _steps(root: Mapping[str, Node]) -> dict[Trigger, tuple[Step, ...]]:
    steps: dict[Trigger, tuple[Step, ...]] = {}
    for name, node in root.items():
        if name in _OWN_KEYS:
            continue
        trigger = _trigger(name, node)
        listed = () if node.value is None else node.value
        if not isinstance(listed, tuple):
            raise Misread(node.line, f"{name}: expected a list of steps; begin each with - action:")
        steps[trigger] = steps.get(trigger, ()) + tuple(map(_step, listed))
    return steps


def _trigger(name: str, node: Node) -> Trigger:
    try:
        return Trigger.named(name)
    except InvalidInput:
        known = [*Trigger, *ALIASES, *_OWN_KEYS]
        near = get_close_matches(name, known, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        problem = f"{name}: nothing has this name; {meant}known: {', '.join(known)}"
        raise Misread(node.line, problem) from None


def _step(node: Node) -> Step:
    if not isinstance(node.value, Mapping) or "action" not in node.value:
        raise Misread(node.line, "a step needs an action; write - action: NAME")
    action, when, into = (
        _of_kind(node.value[key], key, str) if key in node.value else None for key in _STEP_KEYS
    )
    arguments = {name: each.plain() for name, each in node.value.items() if name not in _STEP_KEYS}
    assert action is not None
    return Step(action=action, arguments=arguments, when=when, into=into, line=node.line)


def _error(path: Path, line: int, problem: str) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {problem}")
