"""Controls of forms: labelled, with a hint, and a value that both sides know."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from nicegui.elements.mixins.value_element import ValueElement
from nicegui.events import GenericEventArguments

from tacit.ui.asking import handled

Options = Sequence[Any] | Mapping[Any, str]
"""Values to choose from, or values with what they are called."""

_TYPING_MS = 250


class Kind(StrEnum):
    """What a control looks like."""

    TEXT = "text"
    SEARCH = "search"
    DATE = "date"
    AREA = "area"
    NUMBER = "number"
    RANGE = "range"
    SELECT = "select"
    SWITCH = "switch"
    CHECKS = "checks"
    ORDER = "order"


class Control(ValueElement[Any], component="control.js"):
    """One control; `value` is what it says, `on_value_change` hears of it.

    It is overtaken where another value came in while somebody was typing; `on_overtaken` hears of
    that before their value does. The browser numbers what it tells and is answered with the number,
    so that it can tell an answer from a value that was sent before. The value of a date is the
    moment at which a day begins where the viewer is, in UTC; an empty one is "".
    """

    def __init__(
        self,
        kind: Kind,
        label: str,
        value: Any = None,
        *,
        hint: str | None = None,
        is_label_hidden: bool = False,
        options: Options = (),
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        rows: int | None = None,
        placeholder: str | None = None,
        enabled: bool = True,
        on_change: Callable[[], Any] | None = None,
        on_enter: Callable[[], Any] | None = None,
        on_overtaken: Callable[[], Any] | None = None,
    ) -> None:
        super().__init__(value=value)
        told = {
            "kind": str(kind),
            "label": label,
            "hint": hint,
            "hidden": is_label_hidden,
            "options": _listed(options),
            "low": low,
            "high": high,
            "step": step,
            "rows": rows,
            "placeholder": placeholder,
            "disabled": not enabled,
            "wait": _TYPING_MS if kind in _TYPED else 0,
        }
        for name, each in told.items():
            self.props.set_optional(name, each)
        if on_change is not None:
            self.listen(on_change)
        if on_enter is not None:
            self.on("enter", handled(_awaited(on_enter)))
        if on_overtaken is not None:
            self.on("overtaken", lambda _: on_overtaken())

    def listen(self, act: Callable[[], Any]) -> None:
        """Do something whenever the value changes; what fails is told at the page."""
        self.on_value_change(handled(_awaited(act)))

    def object_to(self, problem: str | None) -> None:
        """Say at the control what is wrong with its value; None takes that back."""
        self.props.set_optional("problem", problem)

    def offer(self, options: Options) -> None:
        """Let other values be chosen."""
        self.props["options"] = _listed(options)

    def enable(self, enabled: bool) -> None:
        """Let the value be changed, or not."""
        self.props["disabled"] = not enabled

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        self.props["heard"] = e.args["number"]
        return e.args["value"]


_TYPED = frozenset({Kind.TEXT, Kind.SEARCH, Kind.AREA, Kind.NUMBER, Kind.RANGE})


def _listed(options: Options) -> list[dict[str, Any]]:
    named = options if isinstance(options, Mapping) else {each: str(each) for each in options}
    return [{"value": value, "label": label} for value, label in named.items()]


def _awaited(act: Callable[[], Any]) -> Callable[..., Any]:
    """A handler that need not know what happened, plain or async."""

    async def heard(_: Any = None) -> None:
        result = act()
        if hasattr(result, "__await__"):
            await result

    return heard
