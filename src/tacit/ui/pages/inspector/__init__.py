"""The inspector page: a message or a past turn, and every decision that memory made about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.receipt import Receipt
from tacit.language.injection_blocks import join_blocks
from tacit.ui.api_calls import LatestCall, call_api
from tacit.ui.kit.buttons import ButtonStyle, confirm, toast
from tacit.ui.kit.display import notice
from tacit.ui.kit.elements import box
from tacit.ui.navigation import INSPECTOR
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.inspector.outcomes import (
    InspectorOutcome,
    InspectorQuestion,
    TurnDifference,
    mark_result_text,
)
from tacit.ui.pages.inspector.question_form import PastTurns, QuestionForm
from tacit.ui.pages.inspector.result import Baseline, ResultView
from tacit.ui.pages.inspector.settings_panel import TRY_SETTINGS, SettingsPanel

_RECEIPT = "receipt"
_TRIED = "What these settings change"
_AGAIN = "Then and now"
_MARKED = "After the mark"
_ASSIGNED = "After the assignment"
_UNMARKED = "After the mark was taken back"


@dataclass(frozen=True, slots=True, kw_only=True)
class _PreparedOutcome:
    """An outcome that is ready to be shown, and the difference from an earlier one."""

    outcome: InspectorOutcome
    title: str
    found: TurnDifference | None


async def build_page(context: PageContext) -> None:
    """A question, its outcome, and settings to try."""
    await Inspector(context).build()


class Inspector:
    """The inspector of one browser; of overlapping questions, the latest is shown."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._latest = LatestCall()
        self._question = InspectorQuestion()
        self._saved: tuple[InspectorQuestion, InspectorOutcome] | None = None
        self._result: ResultView | None = None

    async def build(self) -> None:
        """Build the page, with what its address asks for."""
        id = self._context.query.get(_RECEIPT)
        found = None if id is None else await load_past_turn(self._context.tacit, id)
        asked = (
            InspectorQuestion.from_query(self._context.query)
            if found is None
            else InspectorQuestion.from_receipt(found.receipt)
        )
        is_idle = found is None and asked.is_empty
        with box("inspector"):
            if id is not None and found is None:
                notice(_NO_RECEIPT, "warn", "There is no account of this turn")
            self._form = QuestionForm(self._context, asked, self._ask, is_past=found is not None)
            with self._form.card:
                self._turns = PastTurns(self._context, is_open=is_idle)
            self._below = box("halves")
            self._panel = SettingsPanel(
                self._context, on_try=self._try, on_saved=self._after_saving
            )
        if is_idle:
            await self._turns.read()
        elif found is None:
            await self._run(asked)
        else:
            self._question = asked
            self._show(await self._prepare(found))

    async def _ask(self) -> None:
        """Ask the question in the form."""
        question = self._form.question
        self._form.clear_problems()
        if question.is_empty:
            self._form.show_problem("text", "Type a message first.")
            return
        self._update_address(question)
        self._turns.close()
        if self._result is not None:
            self._result.clear_cache()
        self._saved = None
        await self._run(question, is_new=True)

    async def _try(self) -> None:
        """Ask again with other settings."""
        question = self._form.question
        if not question.is_empty:
            await self._run(question, is_new=question.agent != self._question.agent)

    async def _after_saving(self) -> None:
        self._saved = None
        await self._try()

    async def _after_assigning(self) -> None:
        """Ask again, now that memories have another owner."""
        shown = self._shown
        if shown is not None and not shown.is_past:
            await self._compare(shown, _ASSIGNED)
        else:
            await self._again()

    async def _again(self) -> None:
        """Ask what a past turn would give now."""
        shown = self._shown
        if shown is not None:
            question = InspectorQuestion.from_receipt(shown.receipt)
            self._form.show(question)
            self._update_address(question)
            if shown.receipt.context:
                toast(_LEANED)
            await self._run(question, Baseline(outcome=shown, title=_AGAIN))

    async def _mark(self, memory: str) -> None:
        """Mark a memory as not useful for the question."""
        shown, question, tacit = self._shown, self._question, self._context.tacit
        if shown is None:
            return
        if shown.is_past:
            before = await self._load_with_saved_settings(question)
            mark = await call_api(tacit.turns.mark_irrelevant, shown.receipt.id, memory)
        else:
            before = shown
            mark = await call_api(tacit.turns.mark_irrelevant_for, question.text, memory)

        async def undo() -> None:
            await call_api(tacit.turns.unmark, mark)
            await self._compare(self._shown or before, _UNMARKED)

        try:
            await self._compare(before, _MARKED)
        finally:
            toast(mark_result_text(before, self._shown), undo)

    async def _unmark(self, memory: str) -> None:
        """Remove the marks on a memory."""
        made = await call_api(self._context.tacit.turns.marks, memory)
        marks = [mark for mark in made if self._context.may_unmark(mark.author)]

        async def take_back() -> None:
            shown, question = self._shown, self._question
            before = (
                await self._load_with_saved_settings(question)
                if shown is None or shown.is_past
                else shown
            )
            for mark in marks:
                await call_api(self._context.tacit.turns.unmark, mark.id)
            toast("Taken back: it counts as before.")
            await self._compare(before, _UNMARKED)

        if not marks:
            toast(_OTHERS_MARKS if made else "There is no mark on it any more.")
        elif len(marks) == 1:
            await take_back()
        else:
            title = f"Take back all {len(marks)} marks on this memory?"
            confirm(title, _MANY_MARKS, "Take back", take_back, ButtonStyle.PRIMARY)

    async def _compare(self, before: InspectorOutcome, title: str) -> None:
        """Ask the question again, and show the difference."""
        self._saved = None
        self._update_address(self._question)
        await self._run(self._question, Baseline(outcome=before, title=title))

    @property
    def _shown(self) -> InspectorOutcome | None:
        return None if self._result is None else self._result.outcome

    async def _run(
        self, question: InspectorQuestion, before: Baseline | None = None, *, is_new: bool = False
    ) -> None:
        """Ask a question and show its outcome, unless another was asked meanwhile.

        A new question uses the settings as they are saved now.
        """
        self._set_busy(True)
        try:
            ready = await self._latest.run(self._load_and_prepare(question, before, is_new))
        except InvalidInput as error:
            self._set_busy(False)
            if not self._show_input_problem(error):
                raise
            return
        except Exception:
            self._set_busy(False)
            raise
        if ready is not None:
            self._question = question
            self._show(ready)
            self._set_busy(False)

    async def _load_and_prepare(
        self, question: InspectorQuestion, before: Baseline | None, is_new: bool
    ) -> _PreparedOutcome:
        if is_new:
            await self._panel.follow(question.agent)
        return await self._prepare(*await self._load_outcome(question, before))

    async def _load_outcome(
        self, question: InspectorQuestion, before: Baseline | None
    ) -> tuple[InspectorOutcome, Baseline | None]:
        """Load the preview with the tried settings, and what to compare it with."""
        changes = self._panel.changes
        if not changes:
            return await self._load_with_saved_settings(question), before
        outcome = await load_preview(self._context.tacit, question, changes)
        if before is None:
            before = Baseline(outcome=await self._load_with_saved_settings(question), title=_TRIED)
        return outcome, before

    async def _load_with_saved_settings(self, question: InspectorQuestion) -> InspectorOutcome:
        """Load the preview with the saved settings; the same question is asked once."""
        if self._saved is None or self._saved[0] != question:
            self._saved = (question, await load_preview(self._context.tacit, question, {}))
        return self._saved[1]

    async def _prepare(
        self, outcome: InspectorOutcome, before: Baseline | None = None
    ) -> _PreparedOutcome:
        """Load everything that is needed to show an outcome."""
        if self._result is None:
            self._result = self._build_result()
            with self._below, box("aside", "section", id=TRY_SETTINGS, aria_label="Try settings"):
                await self._panel.build(outcome.receipt.agent or "")
        found = await self._result.prepare(outcome, before)
        return _PreparedOutcome(outcome=outcome, title=before.title if before else "", found=found)

    def _show(self, ready: _PreparedOutcome) -> None:
        if self._result is not None:
            floor = None if ready.outcome.is_past else self._panel.floor
            self._result.show(
                ready.outcome,
                self._about_settings(),
                title=ready.title,
                found=ready.found,
                floor=floor,
            )

    def _set_busy(self, is_busy: bool) -> None:
        if self._result is not None:
            self._result.set_busy(is_busy)

    def _about_settings(self) -> str:
        count = len(self._panel.changes)
        if not count:
            return "in a preview with the settings as they are saved"
        tried = "1 setting that is" if count == 1 else f"{count} settings that are"
        return f"in a preview with {tried} not saved"

    def _build_result(self) -> ResultView:
        """Build the area for results."""
        with self._below:
            return ResultView(
                self._context,
                on_mark=self._mark,
                on_unmark=self._unmark,
                on_again=self._again,
                on_assigned=self._after_assigning,
            )

    def _show_input_problem(self, error: InvalidInput) -> bool:
        """Show a problem at its control; returns whether there is one for it."""
        return self._panel.show_problem(error) or self._form.show_problem(
            error.field, error.problem
        )

    def _update_address(self, question: InspectorQuestion) -> None:
        address = self._context.link(INSPECTOR.path, **question.to_query())
        ui.navigate.history.replace(address)


_NO_RECEIPT = (
    "It may be older than receipts are kept, or from another workspace. Pick another turn below."
)
_OTHERS_MARKS = "Others marked it; only they, or a key for everybody, can take that back."
_MANY_MARKS = (
    "It was marked as not useful several times. The messages are not kept, so nobody can tell which"
    " mark is for this one."
)
_LEANED = (
    "This turn leaned on what was said before it. Those messages are not kept, so a new run may"
    " find less."
)


async def load_preview(
    tacit: RemoteTacit, question: InspectorQuestion, changes: Mapping[str, Any]
) -> InspectorOutcome:
    """Load what a question would give with some settings changed; nothing is stored."""
    prepared = await call_api(tacit.preview, **question.to_preview_arguments(), **changes)
    return InspectorOutcome(receipt=prepared.receipt, block=prepared.block)


async def load_past_turn(tacit: RemoteTacit, id: str) -> InspectorOutcome | None:
    """Load the outcome of a past turn; None if it has no receipt."""
    try:
        receipt = await call_api(tacit.turns.get, id)
    except (InvalidInput, NotFound):
        return None
    return InspectorOutcome(receipt=receipt, block=await _load_block(tacit, receipt), is_past=True)


async def _load_block(tacit: RemoteTacit, receipt: Receipt) -> str | None:
    """The text of a turn's blocks, as far as it is still stored."""
    if not receipt.blocks:
        return None
    try:
        report = await call_api(tacit.sessions.get, receipt.session)
    except NotFound:
        return None
    kept = {each.id: each.placement.text for each in report.blocks}
    return join_blocks(text for id in receipt.blocks if (text := kept.get(id))) or None


PAGE = PageRoute(INSPECTOR, build_page)
