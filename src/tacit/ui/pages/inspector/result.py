"""The result of a question: the block, the candidates, and what differs from before."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from tacit.core.episodes import is_episode_id
from tacit.core.keys import Role
from tacit.core.receipt import Receipt
from tacit.turn.block import shorten
from tacit.ui.api_calls import MemoryCache, call_api, report_errors
from tacit.ui.kit.buttons import ButtonStyle, button, dialog, dialog_buttons, toast
from tacit.ui.kit.display import badge, bar, card, notice
from tacit.ui.kit.elements import add_text, box, heading, link, timestamp
from tacit.ui.navigation import memory_link, session_link
from tacit.ui.page_context import PageContext
from tacit.ui.pages.inspector.outcomes import (
    DispositionChange,
    InspectorOutcome,
    TurnDifference,
    compare_outcomes,
)
from tacit.ui.pages.inspector.settings_panel import TRY_SETTINGS, may_try_settings
from tacit.ui.pages.inspector.view_model import (
    ViewContext,
    needed_memories,
    select_candidates,
    to_view,
)
from tacit.ui.turn_labels import describe_episode, proxy_label
from tacit.writing.assignment import Assignment

_INITIAL_CANDIDATES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """An outcome to compare with, and the title of the comparison."""

    outcome: InspectorOutcome
    title: str


class ResultView:
    """Shows an outcome; its parts are updated in place and keep their scroll and focus."""

    def __init__(
        self,
        context: PageContext,
        *,
        on_mark: Callable[[str], Awaitable[None]],
        on_unmark: Callable[[str], Awaitable[None]],
        on_again: Callable[[], Awaitable[None]],
        on_assigned: Callable[[], Awaitable[None]],
    ) -> None:
        self._context = context
        self._cache = MemoryCache(context.tacit)
        self._on_mark, self._on_unmark = on_mark, on_unmark
        self._on_again, self._on_assigned = on_again, on_assigned
        self._max_candidates = _INITIAL_CANDIDATES
        self._floor: float | None = None
        self._difference: TurnDifference | None = None
        self._outcome: InspectorOutcome | None = None
        self._details: TurnDetails | None = None
        with box("stack result") as self._element:
            with box("spread origin"):
                self._origin = box("row", role="status")
                self._buttons = box("row acts")
            self._above = box("stack")
            self._center = box()
            self._below = box("stack")

    @property
    def outcome(self) -> InspectorOutcome | None:
        """The outcome that is shown."""
        return self._outcome

    def set_busy(self, is_busy: bool) -> None:
        """Show whether another outcome is being loaded."""
        self._element.props["aria-busy"] = "true" if is_busy else "false"
        self._element.update()

    def clear_cache(self) -> None:
        """Read memories again when they are needed next."""
        self._cache.clear()

    async def prepare(
        self, outcome: InspectorOutcome, before: Baseline | None
    ) -> TurnDifference | None:
        """Load the memories that an outcome names; returns the difference from `before`."""
        found = None if before is None else compare_outcomes(before.outcome, outcome)
        changed = [] if found is None else found.changes[:MAX_CHANGES]
        shown = select_candidates(outcome.receipt.candidates, self._max_candidates)
        await self._cache.load([*needed_memories(shown), *(each.memory for each in changed)])
        return found

    def show(
        self,
        outcome: InspectorOutcome,
        about: str,
        *,
        title: str = "",
        found: TurnDifference | None = None,
        floor: float | None = None,
    ) -> None:
        """Show a prepared outcome; `about` says where it comes from."""
        self._outcome, self._floor, self._difference = outcome, floor, found
        self._show_origin(outcome, about)
        self._above.clear()
        with self._above:
            show_degraded(outcome.receipt)
            show_unseen(self._context, outcome.receipt, self._on_assigned)
            if found is not None:
                show_difference(title, found, self._cache)
        self._show_details(outcome)
        self._below.clear()
        with self._below:
            show_search(outcome.receipt)

    def _show_details(self, outcome: InspectorOutcome) -> None:
        known = ViewContext(
            memories=self._cache.known,
            episodes=self._cache.known_episodes,
            page_of=lambda id: memory_link(self._context, id),
            changes=_changes_by_memory(self._difference),
            floor=self._floor,
            may_mark=self._context.may_write,
        )
        view = to_view(
            outcome, known, select_candidates(outcome.receipt.candidates, self._max_candidates)
        )
        if self._details is None:
            with self._center:
                self._details = TurnDetails(
                    view, on_mark=self._on_mark, on_unmark=self._on_unmark, on_more=self._show_all
                )
        else:
            self._details.show(view)

    async def _show_all(self) -> None:
        """Show every candidate."""
        if self._outcome is not None:
            self._max_candidates = len(self._outcome.receipt.candidates)
            await self.prepare(self._outcome, None)
            self._show_details(self._outcome)

    def _show_origin(self, outcome: InspectorOutcome, about: str) -> None:
        """Show where the outcome comes from."""
        self._origin.clear()
        self._buttons.clear()
        with self._origin:
            if outcome.is_past:
                self._show_turn(outcome.receipt)
            else:
                add_text(_summary_text(outcome.receipt), "summary")
                add_text(about, "quiet")
        with self._buttons:
            if outcome.is_past:
                button("Run it again now", self._on_again)
            if may_try_settings(self._context):
                link("Try settings", f"#{TRY_SETTINGS}", "button plain jump")

    def _show_turn(self, receipt: Receipt) -> None:
        add_text(f"Turn {receipt.turn} of", "summary")
        link(receipt.session, session_link(self._context, receipt.session), "breaking")
        timestamp(receipt.at, short=True)
        add_text(_summary_text(receipt), "quiet")
        if (proxied := proxy_label(receipt)) is not None:
            badge(proxied.label, "neutral", title=proxied.note)


def _changes_by_memory(found: TurnDifference | None) -> dict[str, DispositionChange]:
    return {} if found is None else {each.memory: each for each in found.changes}


def _summary_text(receipt: Receipt) -> str:
    count, left = len(receipt.injected), len(receipt.candidates) - len(receipt.injected)
    return f"{count:,} injected, {left:,} left out"


class TurnDetails(Element, component="turn_details.js"):
    """Shows the data of `to_view` in the browser, and reports marks."""

    def __init__(
        self,
        view: dict[str, Any],
        *,
        on_mark: Callable[[str], Awaitable[None]],
        on_unmark: Callable[[str], Awaitable[None]],
        on_more: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self.props["view"] = view

        async def handle_mark(event: GenericEventArguments) -> None:
            await on_mark(str(event.args))

        async def handle_unmark(event: GenericEventArguments) -> None:
            await on_unmark(str(event.args))

        async def handle_more(_: GenericEventArguments) -> None:
            await on_more()

        self.on("mark", report_errors(handle_mark))
        self.on("unmark", report_errors(handle_unmark))
        self.on("more", report_errors(handle_more))

    def show(self, view: dict[str, Any]) -> None:
        """Show other data in its place."""
        self.props["view"] = view
        self.update()


MAX_CHANGES = 20
_FEW_CHANGES = 6
_MAX_CONTENT = 160
_TOTAL = "total"


def show_difference(title: str, found: TurnDifference, cache: MemoryCache) -> None:
    """Show added and removed lines, tokens before and after, and changed dispositions."""
    before, after = found.tokens
    with card(classes="difference"):
        with box("spread"):
            heading(title)
            add_text(f"{before:,} → {after:,} tokens", "tokens")
        if found.is_none:
            add_text("Nothing is different.", "quiet", "p")
            return
        if found.came or found.went:
            with box("lines", role="region", tabindex="0", aria_label="Lines that went and came"):
                for line in found.went:
                    _show_line("−", line, "went")
                for line in found.came:
                    _show_line("+", line, "came")
        else:
            add_text("The block is the same.", "quiet", "p")
        if found.changes:
            _show_changes(found.changes, cache)


def show_degraded(receipt: Receipt) -> None:
    """Show which parts of the turn were missing or late, if any."""
    if receipt.degraded:
        notice("; ".join(receipt.degraded), "warn", "Parts of this turn are missing or were late")


def show_search(receipt: Receipt) -> None:
    """Show what was searched for, and how long each stage took."""
    with box("columns"):
        with card("Searched with"), box("rows", "dl"):
            _show_row("message", receipt.query or "nothing")
            _show_row("kind of request", receipt.kind)
            _show_row("from before", ", ".join(receipt.context) or "nothing")
            if receipt.notes:
                _show_row("notes", "; ".join(receipt.notes))
            if receipt.unseen is not None and (unseen := receipt.unseen.sentence(receipt.user)):
                _show_row("not seen", unseen)
            if receipt.pruned:
                _show_row("blocks that leave", ", ".join(receipt.pruned))
        if receipt.timings_ms:
            with card("Time"), box("timings"):
                _show_timings(receipt.timings_ms)


def _show_timings(timings: Mapping[str, float]) -> None:
    whole = timings.get(_TOTAL) or sum(timings.values()) or 1.0
    for name, took in timings.items():
        bar(
            took / whole,
            name,
            tone="neutral" if name == _TOTAL else "accent",
            shown=f"{took:.1f} ms",
        )


def _show_line(sign: str, text: str, classes: str) -> None:
    with box(f"line {classes}"):
        add_text(sign, "sign")
        add_text(text, "text")


def _show_changes(changes: Sequence[DispositionChange], cache: MemoryCache) -> None:
    with box("fold", "details", open=len(changes) <= _FEW_CHANGES):
        add_text(_changes_text(len(changes)), tag="summary")
        with box("changes", "ul", aria_label="Fates that changed"):
            for change in changes[:MAX_CHANGES]:
                with box(tag="li"):
                    add_text(_words_text(change.memory, cache))
                    badge(change.to_text(), "accent" if change.is_seen else "neutral")
        rest = len(changes) - MAX_CHANGES
        if rest > 0:
            add_text(f"And {rest:,} more.", "quiet", "p")


def _changes_text(count: int) -> str:
    return (
        "1 candidate has another fate" if count == 1 else f"{count:,} candidates have another fate"
    )


def _words_text(id: str, cache: MemoryCache) -> str:
    """The beginning of a memory, after its key if it has one, or of an episode."""
    if (episode := cache.known_episodes.get(id)) is not None:
        return f"{describe_episode(episode)}: {shorten(episode.text, _MAX_CONTENT)}"
    memory = cache.known.get(id)
    if memory is None:
        return "words that are gone" if is_episode_id(id) else "a memory that is gone"
    content = shorten(memory.content, _MAX_CONTENT)
    return content if memory.key is None else f"{memory.key}: {content}"


def _show_row(name: str, text: str) -> None:
    add_text(name, tag="dt")
    add_text(text, "breaking", "dd")


_UNSEEN_TITLE = "Some memories are not seen by this turn"


def show_unseen(
    context: PageContext, receipt: Receipt, on_assigned: Callable[[], Awaitable[None]]
) -> None:
    """Show how many memories this user cannot see, and offer to assign them."""
    unseen = receipt.unseen
    if unseen is None or not (unseen.unowned or (unseen.others and not receipt.injected)):
        return
    with notice(f"{unseen.sentence(receipt.user)}.", "warn", _UNSEEN_TITLE):
        if not receipt.user:
            add_text("Name a user in the form above to ask as that user.", "quiet", "p")
        elif unseen.unowned and context.may(Role.WRITE, for_every_user=True):
            user = receipt.user

            async def offer() -> None:
                await _open_assign_dialog(context, user, on_assigned)

            button(f"Assign to {user} …", offer)


async def _open_assign_dialog(
    context: PageContext, user: str, on_assigned: Callable[[], Awaitable[None]]
) -> None:
    """Show what an assignment would change, and ask for confirmation."""
    planned = await call_api(context.long_timeout_tacit.memories.assign, user, dry_run=True)
    shown, inside = dialog(f"Assign what belongs to no user to {user}?")

    async def assign() -> None:
        done = await call_api(context.long_timeout_tacit.memories.assign, user)
        toast(_assigned_text(done))
        await on_assigned()

    with inside:
        add_text("This would be done:", tag="p")
        with box(tag="ul"):
            for line in planned.lines or ["nothing is left to assign"]:
                add_text(line, tag="li")
        add_text(_ABOUT_ASSIGNMENT, "quiet", "p")
        dialog_buttons(shown, "Assign", assign, ButtonStyle.PRIMARY)
    shown.open()


def _assigned_text(done: Assignment) -> str:
    return f"{'; '.join(done.lines) or 'Nothing was left to assign'}."


_ABOUT_ASSIGNMENT = (
    "Every memory that belongs to no user, past and forgotten ones included. Each change is in the"
    " history of its memory."
)
