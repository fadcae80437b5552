"""What is wrong with lifecycle files, before they run."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from tacit.core.errors import ConfigError, InvalidInput
from tacit.integrations.workflows.action import check_variable
from tacit.integrations.workflows.arguments import argument_problems
from tacit.integrations.workflows.document import Document, Problem, Step, parse, read_file, text_of
from tacit.integrations.workflows.expression import check_expression
from tacit.integrations.workflows.origin import Origin
from tacit.integrations.workflows.registry import find_action
from tacit.integrations.workflows.template import places


def file_problems(path: Path, origin: Origin) -> list[Problem]:
    """Everything that is wrong with a file, in the order of its lines."""
    try:
        document, misread = parse(path, text_of(read_file(path)))
    except ConfigError as error:
        return [Problem(path=path, problem=str(error).removeprefix(f"{path}: "))]
    found = [*misread, *document_problems(document, origin)]
    return sorted(found, key=lambda each: each.line or 0)


def document_problems(document: Document, origin: Origin) -> Iterator[Problem]:
    """Everything that would go wrong: unknown actions, arguments, names, and conditions."""
    for name, value in document.variables.items():
        for error in _refused(partial(check_variable, name, value)):
            line = document.variable_lines.get(name, 1)
            yield document.problem(line, f"variables.{name}", error.problem)
    for trigger, steps in document.steps.items():
        for step in steps:
            for key, problem in _step_problems(step, origin):
                line = step.lines.get(key, step.line)
                yield document.problem(line, f"{trigger}.{key}", f"{step.action}: {problem}")


def _step_problems(step: Step, origin: Origin) -> Iterator[tuple[str, str]]:
    """The keys of a step that something is wrong with, and what that is."""
    try:
        action = find_action(step.action, origin)
    except InvalidInput as error:
        yield "action", error.problem
    else:
        for wrong in argument_problems(step.action, action, step.arguments):
            yield wrong.field, wrong.problem
    for key, argument in step.arguments.items():
        yield from _expression_problems(key, places(argument))
    if step.when is not None:
        yield from _expression_problems("when", [step.when])
    if step.into is not None:
        for wrong in _refused(partial(check_variable, step.into)):
            yield "into", str(wrong)


def _expression_problems(key: str, expressions: Iterable[str]) -> Iterator[tuple[str, str]]:
    for each in expressions:
        for error in _refused(partial(check_expression, each)):
            yield key, str(error)


def _refused(check: Callable[[], None]) -> Iterator[InvalidInput]:
    """What a check says against something, if it does."""
    try:
        check()
    except InvalidInput as error:
        yield error
