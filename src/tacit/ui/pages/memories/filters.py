"""The filters above the table: the usual ones in a row, the others behind a disclosure."""

from collections.abc import Callable
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.memory.kinds import Sort
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, say
from tacit.ui.pages.memories.conditions import CONDITIONS, Condition, Shape
from tacit.ui.pages.memories.wish import Way, Wish, chosen_types

_TYPING_MS = 120
_CLOSE = """(event) => {
    const choice = event.currentTarget;
    if (!choice.open) return;
    const leave = (other) => {
        if (choice.contains(other.target) && other.key !== "Escape") return;
        choice.open = false;
        document.removeEventListener("pointerdown", leave);
        document.removeEventListener("keydown", leave);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("keydown", leave);
}"""
"""What closes an open choice: Escape, and whatever is done elsewhere."""

SORTS = {
    str(Sort.RECENT): "Changed last",
    str(Sort.CREATED): "Written last",
    str(Sort.IMPORTANCE): "Most important",
    str(Sort.MOST_ACCESSED): "Most used",
}


class FilterBar:
    """Controls for a wish; `on_change` hears of the new one."""

    def __init__(self, wish: Wish, on_change: Callable[[Wish], Any]) -> None:
        self._wish = wish
        self._on_change = on_change
        self._controls: dict[str, Control] = {}
        self._refused: Control | None = None
        with box("card memories-filters", role="search", aria_label="Filter memories"):
            with box("memories-row"):
                self._text(wish)
                for each in CONDITIONS:
                    if each.is_first:
                        self._add(each)
            with box("more-filters", "details") as details:
                if wish.more:
                    details.props["open"] = True
                self._summary = say("", tag="summary")
                with box("memories-grid"):
                    for each in CONDITIONS:
                        if not each.is_first:
                            self._add(each)
        self.follow(wish)

    def follow(self, wish: Wish) -> None:
        """Show what is asked for, in the words around the controls."""
        self._wish = wish
        told = f"More filters ({wish.more} active)" if wish.more else "More filters"
        self._summary.set_text(told)
        chosen = chosen_types(wish.conditions.get("types", ""))
        self._types.set_text(_types_told(chosen))
        if self._refused is not None:
            self._refused.object_to(None)
            self._refused = None

    def clear(self) -> None:
        """Let the controls say nothing."""
        self._words.set_value("")
        for each in CONDITIONS:
            self._controls[each.name].set_value(_shown(each, ""))

    def object_to(self, error: InvalidInput) -> None:
        """Say what is wrong at the control of a condition, if it has one of that name."""
        name = "text" if error.field == "contains" else error.field
        control = self._words if name == "text" else self._controls.get(name)
        if control is not None:
            control.object_to(error.problem)
            self._refused = control

    def _text(self, wish: Wish) -> None:
        with box("memories-search"):
            self._words = Control(
                Kind.SEARCH,
                "Search",
                wish.text,
                placeholder="Words in the content, key or tags",
                on_change=self._say_text,
            )
            self._words.props["wait"] = _TYPING_MS
            self._meaning = Control(
                Kind.SWITCH,
                "By meaning",
                wish.way is Way.MEANING,
                on_change=self._say_text,
            )

    async def _say_text(self) -> None:
        way = Way.MEANING if self._meaning.value else Way.WORDS
        await self._on_change(self._wish.with_text(str(self._words.value or ""), way))

    def _add(self, condition: Condition) -> None:
        said = self._wish.conditions.get(condition.name, "")
        if condition.shape is Shape.SEVERAL:
            with box("control types"):
                say(condition.label, "label", aria_hidden="true")
                with box("types-choice", "details").on("toggle", js_handler=_CLOSE):
                    self._types = say("", tag="summary")
                    with box("types-panel"):
                        self._controls[condition.name] = self._control(condition, said)
        else:
            self._controls[condition.name] = self._control(condition, said)

    def _control(self, condition: Condition, said: str) -> Control:
        async def changed() -> None:
            value = _said(condition, control.value)
            await self._on_change(self._wish.with_condition(condition.name, value))

        options: dict[str, Any] = {}
        if condition.options:
            options["options"] = condition.options
        if condition.shape is Shape.NUMBER:
            options |= {"low": 0, "high": 1, "step": 0.05}
        control = Control(
            _KINDS[condition.shape],
            condition.label,
            _shown(condition, said),
            hint=condition.hint,
            is_label_hidden=condition.shape is Shape.SEVERAL,
            on_change=changed,
            **options,
        )
        if control.props["wait"]:
            control.props["wait"] = _TYPING_MS
        return control


def sort_control(wish: Wish, on_change: Callable[[Sort], Any]) -> Control:
    """The order of the table."""

    async def changed() -> None:
        await on_change(Sort(control.value))

    control = Control(Kind.SELECT, "Sort by", str(wish.sort), options=SORTS, on_change=changed)
    return control


def _types_told(chosen: list[str]) -> str:
    if not chosen:
        return "Every type"
    return chosen[0].capitalize() if len(chosen) == 1 else f"{len(chosen)} types"


def _shown(condition: Condition, said: str) -> Any:
    """What a control shows of a condition."""
    if condition.shape is Shape.SEVERAL:
        return chosen_types(said)
    if condition.shape is Shape.NUMBER:
        try:
            return float(said)
        except ValueError:
            return None
    return said


def _said(condition: Condition, value: Any) -> str:
    """What a control says, as the address does."""
    if condition.shape is Shape.SEVERAL:
        return ",".join(value or ())
    if condition.shape is Shape.NUMBER:
        return "" if value is None else f"{value:g}"
    return str(value or "").strip()


_KINDS = {
    Shape.ONE: Kind.SELECT,
    Shape.YES_OR_NO: Kind.SELECT,
    Shape.SEVERAL: Kind.CHECKS,
    Shape.WORD: Kind.TEXT,
    Shape.DAY: Kind.DATE,
    Shape.NUMBER: Kind.NUMBER,
}
