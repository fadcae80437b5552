"""Calls that stand for a call of an object which the class holds.

`remember = shortcut("memories", MemoriesProtocol.remember)` makes `tacit.remember(…)` what
`tacit.memories.remember(…)` is.
"""

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


def shortcut(
    holder: str,
    method: Callable[Concatenate[Any, Params], Result],
    name: str | None = None,
    *,
    is_brief: bool = True,
) -> Callable[Concatenate[Any, Params], Result]:
    """A call of the object that is held under the name `holder`; it may have another `name`.

    If it `is_brief`, it has only the first paragraph of the documentation.
    """
    own = method.__name__

    def call(self: Any, /, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        result: Result = getattr(getattr(self, holder), own)(*args, **kwargs)
        return result

    update_wrapper(call, method)
    call.__name__ = name or own
    documentation = inspect.getdoc(method) or ""
    call.__doc__ = documentation.partition("\n\n")[0] if is_brief else documentation
    return call
