"""What a file of a project would do: each effect of it in words, or why it can have none."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.core.errors import ConfigError
from tacit.grounding.cue_file import cues_in
from tacit.integrations.hooks.project_files import FileKind, ProjectFile
from tacit.integrations.workflows.action import FileOrigin, action_names
from tacit.integrations.workflows.checks import document_problems
from tacit.integrations.workflows.lifecycle_file import (
    LifecycleFile,
    WorkflowStep,
    decode_lifecycle,
    parse_lifecycle,
)
from tacit.runtime.trust import FileContent
from tacit.settings.config.project import project_settings

_NEVER = "a project cannot set it"
_NEVER_USED = "a project cannot use it"
_OFF = "the file switches itself off"
_INJECTING = "inject_context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One thing that a file would do, or would like to."""

    noun: str
    """What it is one of, such as a setting."""
    what: str
    value: str
    problem: str | None = None
    injected: str = ""
    """The text of the file that models would be shown."""

    def to_dict(self) -> dict[str, str | None]:
        """Ready for JSON."""
        return {"what": self.what, "value": self.value, "ignored": self.problem}


def examined(file: ProjectFile) -> tuple[list[Effect], str | None]:
    """What a file would do, and why it cannot be agreed to as it is."""
    if file.content is None:
        return [], file.problem
    try:
        return list(_EFFECTS[file.kind](file.content)), None
    except ConfigError as error:
        return [], str(error)


def summary(effects: Sequence[Effect]) -> str:
    """How many of them act, how many are ignored, and how much text would be injected."""
    acting = Counter(each.noun for each in effects if each.problem is None)
    ignored = Counter(each.noun for each in effects if each.problem is not None)
    parts = [f"{_counted(count, noun)} act{_s(count)}" for noun, count in acting.items()]
    parts += [
        f"{_counted(count, noun)} {'is' if count == 1 else 'are'} ignored"
        for noun, count in ignored.items()
    ]
    texts = [each.injected for each in effects if each.injected and each.problem is None]
    if texts:
        size = sum(map(len, texts))
        told = f"{_counted(len(texts), 'text')} of {size:,} characters"
        parts.append(f"{told} would be injected" if len(texts) == 1 else f"{told} in all injected")
    return ", ".join(parts)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _s(count: int) -> str:
    return "s" if count == 1 else ""


def _settings(content: FileContent) -> Iterator[Effect]:
    for each in project_settings(content):
        whose = "" if each.agent is None else f" of {each.agent}"
        yield Effect(
            noun="setting",
            what=f"{each.table}.{each.name}{whose}",
            value=_spelled(each.value),
            problem=None if each.may_act else _NEVER,
        )


def _workflow(content: FileContent) -> Iterator[Effect]:
    """The variables and steps of a workflow; one with a mistake cannot be agreed to."""
    document, misread = parse_lifecycle(content.path, decode_lifecycle(content))
    wrong = [*misread, *_mistakes(document)]
    if wrong:
        raise ConfigError(str(wrong[0]))
    off = None if document.is_enabled else _OFF
    for name, value in document.variables.items():
        yield Effect(noun="variable", what=f"variables.{name}", value=_spelled(value), problem=off)
    for trigger, steps in document.steps.items():
        for step in steps:
            problem = off if FileOrigin.PROJECT.may_use(step.action) else _NEVER_USED
            yield Effect(
                noun="step",
                what=f"{trigger}: {step.action}",
                value=_arguments(step),
                problem=problem,
                injected=_spelled(step.arguments.get("text", ""))
                if step.action == _INJECTING
                else "",
            )


def _mistakes(document: LifecycleFile) -> Iterator[Any]:
    """What is wrong with a file, other than that it uses actions which a project cannot use."""
    known = frozenset(action_names())
    forbidden = {
        step.lines.get("action", step.line)
        for steps in document.steps.values()
        for step in steps
        if step.action in known and not FileOrigin.PROJECT.may_use(step.action)
    }
    for each in document_problems(document, FileOrigin.PROJECT):
        if not (each.line in forbidden and each.key.endswith(".action")):
            yield each


def _arguments(step: WorkflowStep) -> str:
    parts = {**step.arguments, "when": step.when, "into": step.into}
    said = {name: value for name, value in parts.items() if value is not None}
    return "\n".join(f"{name}: {_spelled(value)}" for name, value in said.items())


def _directives(content: FileContent) -> Iterator[Effect]:
    what = "system side of prompts"
    text = _whole(content)
    yield Effect(noun="file", what=what, value=text, injected=text)


def _cues(content: FileContent) -> Iterator[Effect]:
    cues_in(content)
    yield Effect(noun="file", what="which context a message gets", value=_whole(content))


def _whole(content: FileContent) -> str:
    return content.data.decode("utf-8-sig").rstrip()


_EFFECTS: Mapping[FileKind, Callable[[FileContent], Iterator[Effect]]] = {
    FileKind.SETTINGS: _settings,
    FileKind.WORKFLOW: _workflow,
    FileKind.DIRECTIVES: _directives,
    FileKind.CUES: _cues,
}


def _spelled(value: Any) -> str:
    is_plain = isinstance(value, str)
    return value if is_plain else json.dumps(value, ensure_ascii=False, default=str)
