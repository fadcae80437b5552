"""Form controls: a label, a hint, and a value that browser and server share."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from nicegui.elements.mixins.value_element import ValueElement
from nicegui.events import GenericEventArguments

from tacit.ui.api_calls import report_errors

Choices = Sequence[Any] | Mapping[Any, str]
"""Values to choose from, or values with their labels."""

_TYPING_MS = 250


class ControlKind(StrEnum):
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
    """One control of a form, with a label and a `value`.

    If a new value arrives from the server while a person types, the control is overtaken:
    `on_overtaken` is called before the change of the value. The browser numbers its messages and
    the server acknowledges the number, so that the browser can tell a reply from a value that was
    sent earlier. The value of a date is the start of a day in the viewer's time zone, in UTC, or
    empty.
    """

    def __init__(
        self,
        kind: ControlKind,
        label: str,
        value: Any = None,
        *,
        hint: str | None = None,
        is_label_hidden: bool = False,
        options: Choices = (),
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
        props = {
            "kind": str(kind),
            "label": label,
            "hint": hint,
            "hidden": is_label_hidden,
            "options": _to_options(options),
            "low": low,
            "high": high,
            "step": step,
            "rows": rows,
            "placeholder": placeholder,
            "disabled": not enabled,
            "wait": _TYPING_MS if kind in _TYPED_KINDS else 0,
        }
        for name, each in props.items():
            self.props.set_optional(name, each)
        if on_change is not None:
            self.listen(on_change)
        if on_enter is not None:
            self.on("enter", report_errors(_to_handler(on_enter)))
        if on_overtaken is not None:
            self.on("overtaken", lambda _: on_overtaken())

    def listen(self, act: Callable[[], Any]) -> None:
        """Call a function whenever the value changes; errors are shown on the page."""
        self.on_value_change(report_errors(_to_handler(act)))

    def show_problem(self, problem: str | None) -> None:
        """Show what is wrong with the value; None removes the message."""
        self.props.set_optional("problem", problem)

    def set_options(self, options: Choices) -> None:
        """Offer other values to choose from."""
        self.props["options"] = _to_options(options)

    def set_enabled(self, enabled: bool) -> None:
        """Enable or disable the control."""
        self.props["disabled"] = not enabled

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        self.props["heard"] = e.args["number"]
        return e.args["value"]


_TYPED_KINDS = frozenset(
    {ControlKind.TEXT, ControlKind.SEARCH, ControlKind.AREA, ControlKind.NUMBER, ControlKind.RANGE}
)


def _to_options(options: Choices) -> list[dict[str, Any]]:
    named = options if isinstance(options, Mapping) else {each: str(each) for each in options}
    return [{"value": value, "label": label} for value, label in named.items()]


def _to_handler(act: Callable[[], Any]) -> Callable[..., Any]:
    """An event handler that calls a plain or async function without arguments."""

    async def handle(_: Any = None) -> None:
        result = act()
        if hasattr(result, "__await__"):
            await result

    return handle
