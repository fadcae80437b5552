"""Checks of lifecycle files: arguments, expressions and variables, before any step runs."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tacit.core.errors import ConfigError, InvalidInput
from tacit.integrations.workflows.action import Action, FileOrigin, check_variable, find_action
from tacit.integrations.workflows.expressions import check_expression, find_expressions
from tacit.integrations.workflows.lifecycle_file import (
    FileProblem,
    LifecycleFile,
    WorkflowStep,
    decode_lifecycle,
    parse_lifecycle,
    read_lifecycle,
)

# Arguments of a step


_TYPE_NAMES: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a mapping",
    NoneType: "null",
}


def check_arguments(name: str, action: Action, arguments: Mapping[str, Any]) -> None:
    """Raise InvalidInput for unknown, missing or mistyped arguments."""
    for problem in argument_problems(name, action, arguments):
        raise problem


def argument_problems(
    name: str, action: Action, arguments: Mapping[str, Any]
) -> Iterator[InvalidInput]:
    """All problems of an action's arguments.

    Arguments with placeholders get their type only when they are filled.
    """
    taken = _action_parameters(action)
    is_open = any(each.kind is each.VAR_KEYWORD for each in taken.values())
    for given in arguments:
        if given not in taken and not is_open:
            known = ", ".join(taken) or "none"
            yield InvalidInput(given, f"{name} takes no such argument; known: {known}")
    for wanted, parameter in taken.items():
        is_needed = parameter.default is parameter.empty and not _is_variadic(parameter)
        if is_needed and wanted not in arguments:
            yield InvalidInput(wanted, f"{name} needs it; write {wanted}: VALUE")
    yield from _type_problems(action, arguments)


def _action_parameters(action: Action) -> Mapping[str, inspect.Parameter]:
    """The parameters of an action after its context."""
    return dict(list(inspect.signature(action).parameters.items())[1:])


def _is_variadic(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)


def _type_problems(action: Action, arguments: Mapping[str, Any]) -> Iterator[InvalidInput]:
    hints = _type_hints(action)
    for name, value in arguments.items():
        kinds = _plain_types(hints.get(name))
        if kinds and not any(find_expressions(value)) and not _has_type(value, kinds):
            wanted = " or ".join(_TYPE_NAMES[each] for each in kinds)
            yield InvalidInput(name, f"expected {wanted}, not {value!r}")


def _type_hints(action: Action) -> Mapping[str, Any]:
    try:
        return get_type_hints(action)
    except Exception:  # a plug-in's annotations are its own matter
        return {}


def _plain_types(hint: Any) -> tuple[Any, ...]:
    """The plain types of an annotation; none if it has other types too."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = tuple(get_origin(each) or each for each in parts)
    return kinds if all(each in _TYPE_NAMES for each in kinds) else ()


def _has_type(value: Any, kinds: tuple[Any, ...]) -> bool:
    if isinstance(value, bool):
        return bool in kinds
    if isinstance(value, int) and float in kinds:
        return True
    return isinstance(value, kinds)


# Lifecycle files


def file_problems(path: Path, origin: FileOrigin) -> list[FileProblem]:
    """Everything that is wrong with a file, in the order of its lines."""
    try:
        document, misread = parse_lifecycle(path, decode_lifecycle(read_lifecycle(path)))
    except ConfigError as error:
        return [FileProblem(path=path, problem=str(error).removeprefix(f"{path}: "))]
    found = [*misread, *document_problems(document, origin)]
    return sorted(found, key=lambda each: each.line or 0)


def document_problems(document: LifecycleFile, origin: FileOrigin) -> Iterator[FileProblem]:
    """Everything that would go wrong: unknown actions, arguments, names, and conditions."""
    for name, value in document.variables.items():
        for error in _collect_error(partial(check_variable, name, value)):
            line = document.variable_lines.get(name, 1)
            yield document.problem(line, f"variables.{name}", error.problem)
    for trigger, steps in document.steps.items():
        for step in steps:
            for key, problem in _step_problems(step, origin):
                line = step.lines.get(key, step.line)
                yield document.problem(line, f"{trigger}.{key}", f"{step.action}: {problem}")


def _step_problems(step: WorkflowStep, origin: FileOrigin) -> Iterator[tuple[str, str]]:
    """The keys of a step that something is wrong with, and what that is."""
    try:
        action = find_action(step.action, origin)
    except InvalidInput as error:
        yield "action", error.problem
    else:
        for wrong in argument_problems(step.action, action, step.arguments):
            yield wrong.field, wrong.problem
    for key, argument in step.arguments.items():
        yield from _expression_problems(key, find_expressions(argument))
    if step.when is not None:
        yield from _expression_problems("when", [step.when])
    if step.into is not None:
        for wrong in _collect_error(partial(check_variable, step.into)):
            yield "into", str(wrong)


def _expression_problems(key: str, expressions: Iterable[str]) -> Iterator[tuple[str, str]]:
    for each in expressions:
        for error in _collect_error(partial(check_expression, each)):
            yield key, str(error)


def _collect_error(check: Callable[[], None]) -> Iterator[InvalidInput]:
    """The error that a check raises, if any."""
    try:
        check()
    except InvalidInput as error:
        yield error
