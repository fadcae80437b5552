"""Expressions and templates of lifecycle files, evaluated without running any code.

Expressions look like Python: names, `.` and `[]` on mappings, comparisons, `in`, `and`, `or`,
`not`, lists, texts, numbers and `len(…)`. A missing value is None. Templates embed them in text:
`{{ event.prompt }}`.
"""

import ast
import json
import logging
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from tacit.core.errors import InvalidInput

# Expressions


NAMES = ("event", "variables", "session", "project")
"""The names that an expression may use."""

_LONGEST = 500
_DEEPEST = 16
_CONSTANTS = {"true": True, "false": False, "null": None}
_LITERALS = (str, int, float, bool, type(None))
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, whole: whole is not None and item in whole,
    ast.NotIn: lambda item, whole: whole is None or item not in whole,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_WRONG_VALUES = (TypeError, ValueError, OverflowError, RecursionError)

_log = logging.getLogger("tacit.workflows")


def check_expression(text: str) -> None:
    """Raise InvalidInput for a text that is no expression."""
    _parse_expression(text)


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression."""
    node = _parse_expression(text)
    try:
        return _evaluate_node(node, names)
    except _WRONG_VALUES as error:
        raise InvalidInput("expression", f"{text!r} cannot be answered: {error}") from None


def condition_holds(text: str, names: Mapping[str, Any]) -> bool:
    """Whether a condition is true; an invalid one is false, with a warning in the log."""
    try:
        return bool(evaluate(text, names))
    except InvalidInput as error:
        _log.warning("a condition does not hold because it is wrong: %s", error)
        return False


@lru_cache(maxsize=512)
def _parse_expression(text: str) -> ast.expr:
    """Parse an expression and check that it uses only what is allowed."""
    if len(text) > _LONGEST:
        raise InvalidInput("expression", f"is longer than {_LONGEST} characters; make it shorter")
    try:
        with warnings.catch_warnings(action="ignore"):
            node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise InvalidInput("expression", f"{text!r} cannot be read: {reason}") from None
    _check_node(node, text, 0)
    return node


def _check_node(node: ast.expr, text: str, depth: int) -> None:
    """Raise InvalidInput for syntax outside of the small language."""
    if depth > _DEEPEST:
        raise InvalidInput("expression", f"{text!r} is nested too deeply; make it simpler")
    problem = _node_problem(node)
    if problem is not None:
        raise InvalidInput("expression", f"{text!r} has {problem}")
    for part in _child_expressions(node):
        _check_node(part, text, depth + 1)


def _node_problem(node: ast.expr) -> str | None:
    """The problem of one node, if any."""
    match node:
        case ast.Name(id=name) if name not in NAMES and name not in _CONSTANTS:
            return f"the unknown name {name!r}; known: {', '.join(NAMES)}"
        case ast.Constant(value=value) if not isinstance(value, _LITERALS):
            return f"{value!r}, which is neither text nor a number"
        case ast.Call() if not _is_len_call(node):
            return "a call; only len(…) can be called"
        case ast.UnaryOp(op=sign) if not isinstance(sign, ast.Not | ast.USub):
            return "a sign that is not allowed; not and - are"
        case _ if not isinstance(node, _ALLOWED):
            return f"{type(node).__name__}, which is not allowed; compare, and, or, not, in are"
    return None


_ALLOWED = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Compare,
    ast.List,
    ast.Tuple,
    ast.Call,
)


def _is_len_call(node: ast.Call) -> bool:
    is_named = isinstance(node.func, ast.Name) and node.func.id == "len"
    return is_named and len(node.args) == 1 and not node.keywords


def _child_expressions(node: ast.expr) -> list[ast.expr]:
    """The expressions that an expression is made of."""
    if isinstance(node, ast.Call):
        return node.args
    return [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]


def _evaluate_node(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return _CONSTANTS[name] if name in _CONSTANTS else names.get(name)
        case ast.Constant(value=value):
            return value
        case ast.Attribute(value=whole, attr=name):
            return _get_item(_evaluate_node(whole, names), name)
        case ast.Subscript(value=whole, slice=name):
            return _get_item(_evaluate_node(whole, names), _evaluate_node(name, names))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_evaluate_node(part, names) for part in parts]
        case _:
            return _evaluate_operator(node, names)


def _evaluate_operator(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            return _evaluate_bool(parts, names, stops_at=False)
        case ast.BoolOp(values=parts):
            return _evaluate_bool(parts, names, stops_at=True)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return not _evaluate_node(part, names)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return -_evaluate_node(part, names)
        case ast.Compare():
            return _evaluate_compare(node, names)
        case ast.Call(args=[part]):
            whole = _evaluate_node(part, names)
            return 0 if whole is None else len(whole)
    raise TypeError(f"{type(node).__name__} is not allowed")


def _get_item(whole: Any, name: Any) -> Any:
    """The value under a key of a mapping; None for anything else."""
    return whole.get(name) if isinstance(whole, Mapping) else None


def _evaluate_bool(parts: list[ast.expr], names: Mapping[str, Any], *, stops_at: bool) -> Any:
    """The first part that decides, or the last."""
    value = None
    for part in parts:
        value = _evaluate_node(part, names)
        if bool(value) is stops_at:
            break
    return value


def _evaluate_compare(node: ast.Compare, names: Mapping[str, Any]) -> bool:
    left = _evaluate_node(node.left, names)
    for sign, part in zip(node.ops, node.comparators, strict=True):
        right = _evaluate_node(part, names)
        if not _COMPARISONS[type(sign)](left, right):
            return False
        left = right
    return True


# Templates


_OPEN, _CLOSE = "{{", "}}"


def fill_template(argument: Any, names: Mapping[str, Any]) -> Any:
    """Fill the placeholders of an argument; a text that is one placeholder becomes its value."""
    if isinstance(argument, str):
        whole = argument.strip()
        if list(_placeholder_spans(whole)) == [(0, len(whole))]:
            return evaluate(_placeholder_text(whole), names)
        return _fill_text(argument, names)
    if isinstance(argument, Mapping):
        return {name: fill_template(value, names) for name, value in argument.items()}
    if isinstance(argument, list | tuple):
        return [fill_template(value, names) for value in argument]
    return argument


def find_expressions(argument: Any) -> Iterator[str]:
    """Every expression in an argument."""
    if isinstance(argument, str):
        yield from (
            _placeholder_text(argument[start:end]) for start, end in _placeholder_spans(argument)
        )
    elif isinstance(argument, Mapping):
        for value in argument.values():
            yield from find_expressions(value)
    elif isinstance(argument, list | tuple):
        for value in argument:
            yield from find_expressions(value)


def _placeholder_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each placeholder; an unclosed one is ignored."""
    start = text.find(_OPEN)
    while start >= 0 and (end := text.find(_CLOSE, start + len(_OPEN))) >= 0:
        yield start, end + len(_CLOSE)
        start = text.find(_OPEN, end + len(_CLOSE))


def _placeholder_text(place: str) -> str:
    return place[len(_OPEN) : -len(_CLOSE)]


def _fill_text(text: str, names: Mapping[str, Any]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in _placeholder_spans(text):
        parts += [text[last:start], _to_text(evaluate(_placeholder_text(text[start:end]), names))]
        last = end
    return "".join([*parts, text[last:]])


def _to_text(value: Any) -> str:
    """A value as part of a text; None becomes empty."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
