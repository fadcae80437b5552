"""A lifecycle file: steps under the moments at which they run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tacit.core.errors import ConfigError, InvalidInput
from tacit.integrations.workflows.plain_yaml import Misread, Node, read_yaml
from tacit.integrations.workflows.trigger import ALIASES, Trigger
from tacit.runtime.files.trust import FileContent, read_content, spelled

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
    lines: Mapping[str, int] = field(default_factory=dict)
    """Where each of its keys stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that is wrong with a file: where, and what would be right."""

    path: Path
    line: int | None = None
    key: str = ""
    problem: str

    def __str__(self) -> str:
        place = f"{self.path}" if self.line is None else f"{self.path}, line {self.line}"
        return ": ".join(filter(None, (place, self.key, self.problem)))

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "file": str(self.path),
            "line": self.line,
            "key": self.key or None,
            "problem": self.problem,
        }


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

    variable_lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        """What tells files apart: one of the same stem that is nearer takes this one's place."""
        return self.path.stem

    def problem(self, line: int, key: str, problem: str) -> Problem:
        """Something that is wrong with this file."""
        return Problem(path=self.path, line=line, key=key, problem=problem)


def parse_document(path: Path, text: str) -> Document:
    """What a text says as the content of a file."""
    document, problems = parse(path, text)
    if problems:
        raise ConfigError(str(problems[0]))
    return document


def parse(path: Path, text: str) -> tuple[Document, tuple[Problem, ...]]:
    """What can be read of a text as the content of a file, and everything that is wrong with it."""
    root, problems = read_yaml(text)
    reader = _Reader(problems)
    document = Document(path=path, text=text, **{"name": path.stem, **reader.read(root)})
    found = sorted(reader.problems, key=lambda each: each.line)
    return document, tuple(document.problem(each.line, each.key, each.problem) for each in found)


def read_file(path: Path) -> FileContent:
    """A lifecycle file as it is now; ConfigError where it cannot be read or is too large."""
    return read_content(path, _LARGEST)


def text_of(content: FileContent) -> str:
    """The text of a lifecycle file; ConfigError where it has none."""
    try:
        return content.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{spelled(content.path)}: is not UTF-8 text; save it as UTF-8") from None


class _Reader:
    """Reads what it can, and collects what is wrong."""

    def __init__(self, problems: list[Misread]) -> None:
        self.problems = problems

    def read(self, root: Node) -> dict[str, Any]:
        """The fields of a document, as far as they can be read."""
        if not isinstance(root.value, Mapping):
            problem = f"expected a list of steps under each of: {', '.join(Trigger)}"
            self._note(root.line, "", problem)
            return {}
        return {"steps": self._steps(root.value)} | self._own(root.value)

    def _note(self, line: int, key: str, problem: str) -> None:
        self.problems.append(Misread(line, key, problem))

    def _own(self, root: Mapping[str, Node]) -> dict[str, Any]:
        """What the file says about itself."""
        own: dict[str, Any] = {}
        for name, kind in (("name", str), ("description", str), ("enabled", bool)):
            if name in root and (said := self._of_kind(root[name], name, kind)) is not None:
                own["is_enabled" if name == "enabled" else name] = said
        variables = root.get("variables", Node({}, 1))
        if isinstance(variables.value, Mapping):
            own["variables"] = {name: each.plain() for name, each in variables.value.items()}
            own["variable_lines"] = {name: each.line for name, each in variables.value.items()}
        else:
            self._note(variables.line, "variables", "expected a value under each name")
        return own

    def _of_kind(self, node: Node, key: str, kind: type) -> Any:
        """A value, or None where it is of another kind."""
        if isinstance(node.value, kind):
            return node.value
        wanted = "true or false" if kind is bool else "text"
        return self._note(node.line, key, f"expected {wanted}, not {node.plain()!r}")

    def _steps(self, root: Mapping[str, Node]) -> dict[Trigger, tuple[Step, ...]]:
        steps: dict[Trigger, tuple[Step, ...]] = {}
        for name, node in root.items():
            trigger = None if name in _OWN_KEYS else self._trigger(name, node)
            if trigger is not None:
                listed = self._listed(name, node)
                steps[trigger] = steps.get(trigger, ()) + listed
        return steps

    def _trigger(self, name: str, node: Node) -> Trigger | None:
        try:
            return Trigger.named(name)
        except InvalidInput:
            known = [*Trigger, *ALIASES, *_OWN_KEYS]
            near = get_close_matches(name, known, n=1)
            meant = f"did you mean {near[0]}? " if near else ""
            problem = f"nothing has this name; {meant}known: {', '.join(known)}"
            self._note(node.line, name, problem)
            return None

    def _listed(self, trigger: str, node: Node) -> tuple[Step, ...]:
        """The steps under a trigger that can be read."""
        listed = () if node.value is None else node.value
        if not isinstance(listed, tuple):
            problem = "expected a list of steps; begin each with - action:"
            self._note(node.line, trigger, problem)
            return ()
        return tuple(step for each in listed if (step := self._step(trigger, each)) is not None)

    def _step(self, trigger: str, node: Node) -> Step | None:
        if not isinstance(node.value, Mapping) or "action" not in node.value:
            self._note(node.line, trigger, "a step needs an action; write - action: NAME")
            return None
        said: Mapping[str, Node] = node.value
        action, when, into = (
            self._of_kind(said[key], f"{trigger}.{key}", str) if key in said else None
            for key in _STEP_KEYS
        )
        if action is None:
            return None
        return Step(
            action=action,
            arguments={name: each.plain() for name, each in said.items() if name not in _STEP_KEYS},
            when=when,
            into=into,
            line=node.line,
            lines={name: each.line for name, each in said.items()},
        )
