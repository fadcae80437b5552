"""Lifecycle files: YAML with a list of steps under each trigger."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

import yaml

from tacit.core.errors import ConfigError, InvalidInput
from tacit.integrations.workflows.events import TRIGGER_ALIASES, WorkflowTrigger
from tacit.runtime.trust import FileContent, read_content, to_printable_path

# The YAML of lifecycle files: plain values, each with its line


_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A value of a file and its line; mappings and lists hold further nodes."""

    value: Any
    line: int

    def to_plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, Mapping):
            return {name: node.to_plain() for name, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.to_plain() for node in self.value]
        return self.value


class YamlProblem(InvalidInput):
    """A problem in a text, with its line and key."""

    def __init__(self, line: int, key: str, problem: str) -> None:
        super().__init__(key or f"line {line}", problem)
        self.line = line
        self.key = key


class _Loader(yaml.SafeLoader):
    """Loads plain values only: no dates, no aliases."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.problems: list[YamlProblem] = []
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a node; aliases are rejected, since a few can expand without end."""
        if self.check_event(yaml.AliasEvent):
            event = self.get_event()  # type: ignore[no-untyped-call]
            mark = event.start_mark
            problem = "aliases (*name) are not taken; write the value again"
            self.problems.append(YamlProblem(mark.line + 1, f"*{event.anchor}", problem))
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


def read_yaml(text: str) -> tuple[YamlNode, list[YamlProblem]]:
    """Parse a text, and collect its problems; a syntax error ends the parse."""
    try:
        loader = _Loader(text)
    except yaml.YAMLError as error:
        return YamlNode({}, 1), [_syntax_problem(error)]
    try:
        composed = loader.get_single_node()
        root = YamlNode({}, 1) if composed is None else _read_node(loader, composed, "", 0)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return YamlNode({}, 1), [*loader.problems, _syntax_problem(error)]
    finally:
        loader.dispose()
    return root, loader.problems


def _syntax_problem(error: Exception) -> YamlProblem:
    """An error of syntax, and where it is."""
    told: object = error
    line = 1
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        told = error.problem or error.context
    return YamlProblem(line, "", f"is not valid YAML: {told}")


def _read_node(loader: _Loader, node: yaml.Node, key: str, depth: int) -> YamlNode:
    line = node.start_mark.line + 1
    if depth > _DEEPEST:
        loader.problems.append(YamlProblem(line, key, "is nested too deeply; make it flatter"))
        return YamlNode(None, line)
    if isinstance(node, yaml.MappingNode):
        return YamlNode(_read_mapping(loader, node, depth), line)
    if isinstance(node, yaml.SequenceNode):
        return YamlNode(
            tuple(_read_node(loader, each, key, depth + 1) for each in node.value), line
        )
    try:
        value = loader.construct_object(node)
    except yaml.YAMLError as error:
        loader.problems.append(YamlProblem(line, key, _syntax_problem(error).problem))
        return YamlNode(None, line)
    is_plain = isinstance(value, str | int | bool | None)
    if not is_plain and not (isinstance(value, float) and isfinite(value)):
        problem = f"{node.tag} is not taken; write text, a number, true or false"
        loader.problems.append(YamlProblem(line, key, problem))
        return YamlNode(None, line)
    return YamlNode(value, line)


def _read_mapping(loader: _Loader, node: yaml.MappingNode, depth: int) -> dict[str, YamlNode]:
    found: dict[str, YamlNode] = {}
    for name_node, value_node in node.value:
        line = name_node.start_mark.line + 1
        name = _read_node(loader, name_node, "", depth + 1).value
        if not isinstance(name, str):
            problem = f"{name!r} is not a name; write text before the colon"
            loader.problems.append(YamlProblem(line, str(name), problem))
        elif name in found:
            loader.problems.append(YamlProblem(line, name, "is there twice; keep one"))
        else:
            found[name] = YamlNode(_read_node(loader, value_node, name, depth + 1).value, line)
    return found


# The content of a lifecycle file


_LARGEST = 30_000
_OWN_KEYS = ("name", "description", "enabled", "variables")
_STEP_KEYS = ("action", "when", "into")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStep:
    """One action, its condition and its arguments."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    when: str | None = None
    into: str | None = None
    """The variable that stores the result, if any."""
    line: int = 1
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """A problem of a file: where it is, and what would be right."""

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
class LifecycleFile:
    """The content of a lifecycle file."""

    path: Path
    text: str
    name: str
    description: str = ""
    is_enabled: bool = True
    variables: Mapping[str, Any] = field(default_factory=dict)
    steps: Mapping[WorkflowTrigger, tuple[WorkflowStep, ...]] = field(default_factory=dict)

    variable_lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        """The file's identity: a user's file of the same stem replaces a bundled one."""
        return self.path.stem

    def problem(self, line: int, key: str, problem: str) -> FileProblem:
        """Something that is wrong with this file."""
        return FileProblem(path=self.path, line=line, key=key, problem=problem)


def load_lifecycle(path: Path, text: str) -> LifecycleFile:
    """Parse a lifecycle file; ConfigError with its first problem."""
    document, problems = parse_lifecycle(path, text)
    if problems:
        raise ConfigError(str(problems[0]))
    return document


def parse_lifecycle(path: Path, text: str) -> tuple[LifecycleFile, tuple[FileProblem, ...]]:
    """Parse as much of a lifecycle file as possible, and collect all problems."""
    root, problems = read_yaml(text)
    reader = _LifecycleReader(problems)
    document = LifecycleFile(path=path, text=text, **{"name": path.stem, **reader.read(root)})
    found = sorted(reader.problems, key=lambda each: each.line)
    return document, tuple(document.problem(each.line, each.key, each.problem) for each in found)


def read_lifecycle(path: Path) -> FileContent:
    """A lifecycle file as it is now; ConfigError where it cannot be read or is too large."""
    return read_content(path, _LARGEST)


def decode_lifecycle(content: FileContent) -> str:
    """The text of a lifecycle file; ConfigError where it has none."""
    try:
        return content.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(
            f"{to_printable_path(content.path)}: is not UTF-8 text; save it as UTF-8"
        ) from None


class _LifecycleReader:
    """Reads what it can, and collects what is wrong."""

    def __init__(self, problems: list[YamlProblem]) -> None:
        self.problems = problems

    def read(self, root: YamlNode) -> dict[str, Any]:
        """The fields of a document, as far as they can be read."""
        if not isinstance(root.value, Mapping):
            problem = f"expected a list of steps under each of: {', '.join(WorkflowTrigger)}"
            self._add_problem(root.line, "", problem)
            return {}
        return {"steps": self._read_triggers(root.value)} | self._read_header(root.value)

    def _add_problem(self, line: int, key: str, problem: str) -> None:
        self.problems.append(YamlProblem(line, key, problem))

    def _read_header(self, root: Mapping[str, YamlNode]) -> dict[str, Any]:
        """What the file says about itself."""
        own: dict[str, Any] = {}
        for name, kind in (("name", str), ("description", str), ("enabled", bool)):
            if name in root and (said := self._typed_value(root[name], name, kind)) is not None:
                own["is_enabled" if name == "enabled" else name] = said
        variables = root.get("variables", YamlNode({}, 1))
        if isinstance(variables.value, Mapping):
            own["variables"] = {name: each.to_plain() for name, each in variables.value.items()}
            own["variable_lines"] = {name: each.line for name, each in variables.value.items()}
        else:
            self._add_problem(variables.line, "variables", "expected a value under each name")
        return own

    def _typed_value(self, node: YamlNode, key: str, kind: type) -> Any:
        """A value, or None where it is of another kind."""
        if isinstance(node.value, kind):
            return node.value
        wanted = "true or false" if kind is bool else "text"
        return self._add_problem(node.line, key, f"expected {wanted}, not {node.to_plain()!r}")

    def _read_triggers(
        self, root: Mapping[str, YamlNode]
    ) -> dict[WorkflowTrigger, tuple[WorkflowStep, ...]]:
        steps: dict[WorkflowTrigger, tuple[WorkflowStep, ...]] = {}
        for name, node in root.items():
            trigger = None if name in _OWN_KEYS else self._read_trigger(name, node)
            if trigger is not None:
                listed = self._read_steps(name, node)
                steps[trigger] = steps.get(trigger, ()) + listed
        return steps

    def _read_trigger(self, name: str, node: YamlNode) -> WorkflowTrigger | None:
        try:
            return WorkflowTrigger.from_name(name)
        except InvalidInput:
            known = [*WorkflowTrigger, *TRIGGER_ALIASES, *_OWN_KEYS]
            near = get_close_matches(name, known, n=1)
            meant = f"did you mean {near[0]}? " if near else ""
            problem = f"nothing has this name; {meant}known: {', '.join(known)}"
            self._add_problem(node.line, name, problem)
            return None

    def _read_steps(self, trigger: str, node: YamlNode) -> tuple[WorkflowStep, ...]:
        """The steps under a trigger that can be read."""
        listed = () if node.value is None else node.value
        if not isinstance(listed, tuple):
            problem = "expected a list of steps; begin each with - action:"
            self._add_problem(node.line, trigger, problem)
            return ()
        return tuple(
            step for each in listed if (step := self._read_step(trigger, each)) is not None
        )

    def _read_step(self, trigger: str, node: YamlNode) -> WorkflowStep | None:
        if not isinstance(node.value, Mapping) or "action" not in node.value:
            self._add_problem(node.line, trigger, "a step needs an action; write - action: NAME")
            return None
        said: Mapping[str, YamlNode] = node.value
        action, when, into = (
            self._typed_value(said[key], f"{trigger}.{key}", str) if key in said else None
            for key in _STEP_KEYS
        )
        if action is None:
            return None
        return WorkflowStep(
            action=action,
            arguments={
                name: each.to_plain() for name, each in said.items() if name not in _STEP_KEYS
            },
            when=when,
            into=into,
            line=node.line,
            lines={name: each.line for name, each in said.items()},
        )
