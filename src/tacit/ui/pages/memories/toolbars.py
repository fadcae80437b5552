"""The bars around the table of memories: filters above it, actions on the selected rows."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

from nicegui.element import Element

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import Sort
from tacit.core.memory import Memory
from tacit.runtime.clock import system_clock
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, UnsavedChanges, button, dialog, dialog_buttons, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import notice
from tacit.ui.kit.elements import add_text, box
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.bulk_actions import (
    BulkAction,
    BulkAssign,
    BulkForget,
    BulkRestore,
    BulkResult,
    BulkStep,
    expire_action,
    importance_action,
    memory_count,
    pin_action,
    run_step,
    tag_action,
)
from tacit.ui.pages.memories.list_query import (
    FILTERS,
    FilterDefinition,
    FilterKind,
    ListQuery,
    SearchMode,
    parse_types,
)

_TYPING_MS = 120
_CLOSE_HANDLER = """(event) => {
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
"""Closes an open choice on Escape, and on a click elsewhere."""

SORT_LABELS = {
    str(Sort.RECENT): "Changed last",
    str(Sort.CREATED): "Written last",
    str(Sort.IMPORTANCE): "Most important",
    str(Sort.MOST_ACCESSED): "Most used",
}


class FilterBar:
    """Controls for a query; `on_change` gets the new query."""

    def __init__(self, query: ListQuery, on_change: Callable[[ListQuery], Any]) -> None:
        self._query = query
        self._on_change = on_change
        self._controls: dict[str, Control] = {}
        self._problem_control: Control | None = None
        with box("card memories-filters", role="search", aria_label="Filter memories"):
            with box("memories-row"):
                self._build_search(query)
                for each in FILTERS:
                    if each.is_first:
                        self._add(each)
            with box("more-filters", "details") as details:
                if query.hidden_filter_count:
                    details.props["open"] = True
                self._summary = add_text("", tag="summary")
                with box("memories-grid"):
                    for each in FILTERS:
                        if not each.is_first:
                            self._add(each)
        self.show_query(query)

    def show_query(self, query: ListQuery) -> None:
        """Update the texts around the controls."""
        self._query = query
        label = (
            f"More filters ({query.hidden_filter_count} active)"
            if query.hidden_filter_count
            else "More filters"
        )
        self._summary.set_text(label)
        chosen = parse_types(query.conditions.get("types", ""))
        self._types.set_text(_types_text(chosen))
        if self._problem_control is not None:
            self._problem_control.show_problem(None)
            self._problem_control = None

    def clear(self) -> None:
        """Empty all controls."""
        self._search.set_value("")
        for each in FILTERS:
            self._controls[each.name].set_value(_to_control_value(each, ""))

    def show_problem(self, error: InvalidInput) -> None:
        """Show a problem at the control of its filter, if there is one."""
        name = "text" if error.field == "contains" else error.field
        control = self._search if name == "text" else self._controls.get(name)
        if control is not None:
            control.show_problem(error.problem)
            self._problem_control = control

    def _build_search(self, query: ListQuery) -> None:
        with box("memories-search"):
            self._search = Control(
                ControlKind.SEARCH,
                "Search",
                query.text,
                placeholder="Words in the content, key or tags",
                on_change=self._on_text_change,
            )
            self._search.props["wait"] = _TYPING_MS
            self._meaning = Control(
                ControlKind.SWITCH,
                "By meaning",
                query.mode is SearchMode.MEANING,
                on_change=self._on_text_change,
            )

    async def _on_text_change(self) -> None:
        mode = SearchMode.MEANING if self._meaning.value else SearchMode.WORDS
        await self._on_change(self._query.with_text(str(self._search.value or ""), mode))

    def _add(self, filter: FilterDefinition) -> None:
        value = self._query.conditions.get(filter.name, "")
        if filter.kind is FilterKind.SEVERAL:
            with box("control types"):
                add_text(filter.label, "label", aria_hidden="true")
                with box("types-choice", "details").on("toggle", js_handler=_CLOSE_HANDLER):
                    self._types = add_text("", tag="summary")
                    with box("types-panel"):
                        self._controls[filter.name] = self._control(filter, value)
        else:
            self._controls[filter.name] = self._control(filter, value)

    def _control(self, filter: FilterDefinition, value: str) -> Control:
        async def changed() -> None:
            value = _from_control_value(filter, control.value)
            await self._on_change(self._query.with_condition(filter.name, value))

        options: dict[str, Any] = {}
        if filter.options:
            options["options"] = filter.options
        if filter.kind is FilterKind.NUMBER:
            options |= {"low": 0, "high": 1, "step": 0.05}
        control = Control(
            _CONTROL_KINDS[filter.kind],
            filter.label,
            _to_control_value(filter, value),
            hint=filter.hint,
            is_label_hidden=filter.kind is FilterKind.SEVERAL,
            on_change=changed,
            **options,
        )
        if control.props["wait"]:
            control.props["wait"] = _TYPING_MS
        return control


def sort_control(query: ListQuery, on_change: Callable[[Sort], Any]) -> Control:
    """The control for the order of the table."""

    async def changed() -> None:
        await on_change(Sort(control.value))

    control = Control(
        ControlKind.SELECT, "Sort by", str(query.sort), options=SORT_LABELS, on_change=changed
    )
    return control


def _types_text(chosen: list[str]) -> str:
    if not chosen:
        return "Every type"
    return chosen[0].capitalize() if len(chosen) == 1 else f"{len(chosen)} types"


def _to_control_value(filter: FilterDefinition, value: str) -> Any:
    """The value of a filter as its control shows it."""
    if filter.kind is FilterKind.SEVERAL:
        return parse_types(value)
    if filter.kind is FilterKind.NUMBER:
        try:
            return float(value)
        except ValueError:
            return None
    return value


def _from_control_value(filter: FilterDefinition, value: Any) -> str:
    """The value of a control as the address writes it."""
    if filter.kind is FilterKind.SEVERAL:
        return ",".join(value or ())
    if filter.kind is FilterKind.NUMBER:
        return "" if value is None else f"{value:g}"
    return str(value or "").strip()


_CONTROL_KINDS = {
    FilterKind.ONE: ControlKind.SELECT,
    FilterKind.YES_OR_NO: ControlKind.SELECT,
    FilterKind.SEVERAL: ControlKind.CHECKS,
    FilterKind.WORD: ControlKind.TEXT,
    FilterKind.DAY: ControlKind.DATE,
    FilterKind.NUMBER: ControlKind.NUMBER,
}


_PART = "progress"
_PROGRESS_EVERY = 5
"""The progress is updated after so many steps."""


class BulkActionBar:
    """The actions for selected memories; `after` is called when one is done."""

    def __init__(self, context: PageContext, after: Callable[[], Awaitable[Any]]) -> None:
        self._context = context
        self._after = after
        self._memories: tuple[Memory, ...] = ()
        with box("memories-actions", role="region", aria_label="Selected memories") as self._bar:
            self._count = box("number", role="status")
            with box("row") as self._buttons:
                self._build_buttons()
        self._messages = box("stack")
        self.show(())

    def show(self, memories: Sequence[Memory]) -> None:
        """Offer the actions that apply to these memories."""
        self._memories = tuple(memories)
        self._bar.set_visibility(bool(memories))
        self._for_forgotten.set_visibility(any(each.forgotten for each in memories))
        self._for_others.set_visibility(any(not each.forgotten for each in memories))
        self._count.clear()
        with self._count:
            add_text(f"{memory_count(len(memories))} selected")

    async def run_action(self, action: BulkAction) -> None:
        """Run an action on the selected memories, and offer to undo it."""
        ids = [each.id for each in self._memories]
        result = await self._run(action.steps(self._context.tacit, ids), len(ids))

        async def undo() -> None:
            steps = action.undo_steps(self._context.tacit, result.done)
            undone = await self._run(steps, len(result.done))
            self._show_result(undone.to_text("put back"), undone)
            await self._after()

        self._show_result(result.to_text(action.past_tense), result, undo if result.done else None)
        await self._after()

    def _build_buttons(self) -> None:
        with box("row") as self._for_others:
            self._add_button("Forget", BulkForget, ButtonStyle.DANGER)
            self._add_button("Pin", lambda: pin_action(True))
            self._add_button("Unpin", lambda: pin_action(False))
            self._add_button("Expire now", lambda: expire_action(system_clock()))
            button("Set importance", self._ask_importance)
            button("Add a tag", self._ask_tag)
            button("Assign to a user", self._ask_user)
        with box("row") as self._for_forgotten:
            self._add_button("Restore", BulkRestore)
        button("Clear selection", self._after, ButtonStyle.QUIET)

    def _add_button(
        self, name: str, make: Callable[[], BulkAction], style: ButtonStyle = ButtonStyle.PLAIN
    ) -> None:
        async def act() -> None:
            await self.run_action(make())

        button(name, act, style)

    async def _ask_importance(self) -> None:
        await self._ask("Set importance", ControlKind.RANGE, "importance", importance_action, 0.5)

    async def _ask_tag(self) -> None:
        await self._ask("Add a tag", ControlKind.TEXT, "tag", tag_action, "")

    async def _ask_user(self) -> None:
        await self._ask("Assign to a user", ControlKind.TEXT, "user", BulkAssign, "")

    async def _ask(
        self,
        title: str,
        kind: ControlKind,
        name: str,
        make: Callable[[Any], BulkAction],
        value: Any,
    ) -> None:
        shown, inside = dialog(title)
        with inside:
            add_text(f"For {memory_count(len(self._memories))}.", "quiet", "p")
            control = Control(kind, name.capitalize(), value, low=0, high=1, step=0.05)

            async def act() -> None:
                await self.run_action(make(check_field(name, control.value)))

            dialog_buttons(shown, title, act)
        shown.open()

    async def _run(self, steps: Iterator[BulkStep], total: int) -> BulkResult:
        """Run the steps one by one and show the progress; stop at fatal errors."""
        result, go_on = BulkResult(), True
        self._bar.set_visibility(True)
        self._buttons.set_visibility(False)
        try:
            with _ProgressBar(self._count, total) as progress:
                for number, step in enumerate(steps):
                    done, go_on = await call_api(run_step, step)
                    result += done
                    if number % _PROGRESS_EVERY == 0:
                        progress.show(result.tried)
                    if not go_on:
                        break
        finally:
            self._buttons.set_visibility(True)
            self.show(self._memories)
        return result + BulkResult(untried=total - result.tried)

    def _show_result(
        self,
        text: str,
        result: BulkResult,
        undo: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        """Show the result in a toast; failures also in a notice that stays."""
        self._messages.clear()
        if not result.is_complete:
            with self._messages:
                notice(text, "bad", "Not everything was done")
        toast(text, undo)


class _ProgressBar:
    """The progress of an action; the browser asks before the page is left meanwhile."""

    def __init__(self, place: Element, total: int) -> None:
        self._place = place
        self._total = total
        self._unsaved = UnsavedChanges()

    def __enter__(self) -> "_ProgressBar":
        self._unsaved.mark(_PART, True)
        self.show(0)
        return self

    def __exit__(self, *_: object) -> None:
        self._place.clear()
        self._unsaved.mark(_PART, False)

    def show(self, done: int) -> None:
        """Show how many are done."""
        self._place.clear()
        with self._place:
            add_text(f"{done:,} of {memory_count(self._total)} …")
            box(tag="progress", value=done, max=self._total, aria_label="Progress")
