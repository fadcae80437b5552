"""What is wrong with a lifecycle file that can be read, before it runs."""

from collections.abc import Callable, Iterator
from functools import partial

from tacit.errors import InvalidInput
from tacit.workflows.action import check_variable
from tacit.workflows.arguments import check_arguments
from tacit.workflows.document import Document, Step
from tacit.workflows.expression import check_expression
from tacit.workflows.origin import Origin
from tacit.workflows.registry import find_action
from tacit.workflows.template import places


def problems(document: Document, origin: Origin) -> Iterator[str]:
    """Everything that would go wrong: unknown actions, arguments, names, and conditions."""
    for name, value in document.variables.items():
        for problem in _refused(partial(check_variable, name, value)):
            yield str(document.error(1, f"variables: {problem}"))
    for trigger, steps in document.steps.items():
        for step in steps:
            for problem in _step_problems(step, origin):
                yield str(document.error(step.line, f"{trigger}: {step.action}: {problem}"))


def _step_problems(step: Step, origin: Origin) -> Iterator[str]:
    yield from _refused(partial(_check_call, step, origin))
    expressions = [*places(step.arguments), *([] if step.when is None else [step.when])]
    for each in expressions:
        yield from _refused(partial(check_expression, each))
    if step.into is not None:
        yield from _refused(partial(check_variable, step.into))


def _check_call(step: Step, origin: Origin) -> None:
    check_arguments(step.action, find_action(step.action, origin), step.arguments)


def _refused(check: Callable[[], None]) -> Iterator[str]:
    """What a check says against something, if it does."""
    try:
        check()
    except InvalidInput as error:
        yield str(error)
