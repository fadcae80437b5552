"""The arguments of a step, against what its action takes."""

import inspect
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tacit.core.errors import InvalidInput
from tacit.integrations.workflows.action import Action
from tacit.integrations.workflows.template import places

_KINDS: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a mapping",
    NoneType: "null",
}


def check_arguments(name: str, action: Action, arguments: Mapping[str, Any]) -> None:
    """Refuse what an action does not take, what it lacks, and values of another kind."""
    for problem in argument_problems(name, action, arguments):
        raise problem


def argument_problems(
    name: str, action: Action, arguments: Mapping[str, Any]
) -> Iterator[InvalidInput]:
    """Everything that is wrong with arguments of an action.

    What is to be filled with words of the event has its kind only then.
    """
    taken = _taken(action)
    is_open = any(each.kind is each.VAR_KEYWORD for each in taken.values())
    for given in arguments:
        if given not in taken and not is_open:
            known = ", ".join(taken) or "none"
            yield InvalidInput(given, f"{name} takes no such argument; known: {known}")
    for wanted, parameter in taken.items():
        is_needed = parameter.default is parameter.empty and not _is_rest(parameter)
        if is_needed and wanted not in arguments:
            yield InvalidInput(wanted, f"{name} needs it; write {wanted}: VALUE")
    yield from _kind_problems(action, arguments)


def _taken(action: Action) -> Mapping[str, inspect.Parameter]:
    """What an action takes besides its context."""
    return dict(list(inspect.signature(action).parameters.items())[1:])


def _is_rest(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)


def _kind_problems(action: Action, arguments: Mapping[str, Any]) -> Iterator[InvalidInput]:
    hints = _hints(action)
    for name, value in arguments.items():
        kinds = _kinds(hints.get(name))
        if kinds and not any(places(value)) and not _is_one_of(value, kinds):
            wanted = " or ".join(_KINDS[each] for each in kinds)
            yield InvalidInput(name, f"expected {wanted}, not {value!r}")


def _hints(action: Action) -> Mapping[str, Any]:
    try:
        return get_type_hints(action)
    except Exception:  # a plug-in's annotations are its own matter
        return {}


def _kinds(hint: Any) -> tuple[Any, ...]:
    """The plain kinds that an annotation names; none where it names others too."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = tuple(get_origin(each) or each for each in parts)
    return kinds if all(each in _KINDS for each in kinds) else ()


def _is_one_of(value: Any, kinds: tuple[Any, ...]) -> bool:
    if isinstance(value, bool):
        return bool in kinds
    if isinstance(value, int) and float in kinds:
        return True
    return isinstance(value, kinds)
