"""The inspector: what memory would show for a message, or showed in a turn, and why."""

from dataclasses import dataclass

from nicegui import ui

from tacit.core.errors import InvalidInput
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look
from tacit.ui.kit.card import notice
from tacit.ui.kit.dialog import confirm
from tacit.ui.kit.element import box
from tacit.ui.kit.toast import toast
from tacit.ui.latest import Latest
from tacit.ui.pages.inspector.difference import Difference
from tacit.ui.pages.inspector.form import QuestionForm
from tacit.ui.pages.inspector.outcome import Outcome, told_of_mark
from tacit.ui.pages.inspector.panel import TRY_SETTINGS, SettingsPanel
from tacit.ui.pages.inspector.past import PastTurns
from tacit.ui.pages.inspector.question import Question
from tacit.ui.pages.inspector.reading import past, preview
from tacit.ui.pages.inspector.result import Before, Result
from tacit.ui.rooms import INSPECTOR
from tacit.ui.visit import Visit

_RECEIPT = "receipt"
_TRIED = "What these settings change"
_AGAIN = "Then and now"
_MARKED = "After the mark"
_ASSIGNED = "After the assignment"
_UNMARKED = "After the mark was taken back"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """An outcome that can be drawn, and what is different from one before."""

    outcome: Outcome
    title: str
    found: Difference | None


async def build(visit: Visit) -> None:
    """A question, its outcome, and settings to try."""
    await Inspector(visit).build()


class Inspector:
    """One browser's page; of two questions under way, the one asked last is shown."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._latest = Latest()
        self._question = Question()
        self._saved: tuple[Question, Outcome] | None = None
        self._result: Result | None = None

    async def build(self) -> None:
        """The whole page, with what its address asks for."""
        id = self._visit.query.get(_RECEIPT)
        found = None if id is None else await past(self._visit.tacit, id)
        asked = Question.of(self._visit.query) if found is None else Question.again(found.receipt)
        is_idle = found is None and asked.is_empty
        with box("inspector"):
            if id is not None and found is None:
                notice(_NO_RECEIPT, "warn", "There is no account of this turn")
            self._form = QuestionForm(self._visit, asked, self._ask, is_past=found is not None)
            with self._form.card:
                self._turns = PastTurns(self._visit, is_open=is_idle)
            self._below = box("halves")
            self._panel = SettingsPanel(self._visit, on_try=self._try, on_saved=self._after_saving)
        if is_idle:
            await self._turns.read()
        elif found is None:
            await self._run(asked)
        else:
            self._question = asked
            self._show(await self._prepared(found))

    async def _ask(self) -> None:
        """Somebody asks what is in the form."""
        question = self._form.question
        self._form.accept()
        if question.is_empty:
            self._form.object_to("text", "Type a message first.")
            return
        self._tell_address(question)
        self._turns.close()
        if self._result is not None:
            self._result.forget_words()
        self._saved = None
        await self._run(question, is_new=True)

    async def _try(self) -> None:
        """Somebody tries other settings."""
        question = self._form.question
        if not question.is_empty:
            await self._run(question, is_new=question.agent != self._question.agent)

    async def _after_saving(self) -> None:
        self._saved = None
        await self._try()

    async def _after_assigning(self) -> None:
        """Ask once more, now that memories have another owner."""
        shown = self._shown
        if shown is not None and not shown.is_past:
            await self._compare(shown, _ASSIGNED)
        else:
            await self._again()

    async def _again(self) -> None:
        """Somebody asks what a past turn would give now."""
        shown = self._shown
        if shown is not None:
            question = Question.again(shown.receipt)
            self._form.show(question)
            self._tell_address(question)
            if shown.receipt.context:
                toast(_LEANED)
            await self._run(question, Before(outcome=shown, title=_AGAIN))

    async def _mark(self, memory: str) -> None:
        """Somebody says that a memory is of no use for what was asked."""
        shown, question, tacit = self._shown, self._question, self._visit.tacit
        if shown is None:
            return
        if shown.is_past:
            before = await self._with_saved(question)
            mark = await ask(tacit.mark_irrelevant, shown.receipt.id, memory)
        else:
            before = shown
            mark = await ask(tacit.mark_irrelevant_for, question.text, memory)

        async def undo() -> None:
            await ask(tacit.unmark, mark)
            await self._compare(self._shown or before, _UNMARKED)

        try:
            await self._compare(before, _MARKED)
        finally:
            toast(told_of_mark(before, self._shown), undo)

    async def _unmark(self, memory: str) -> None:
        """Somebody takes back that a memory is of no use."""
        made = await ask(self._visit.tacit.marks, memory)
        marks = [mark for mark in made if self._visit.may_take_back(mark.author)]

        async def take_back() -> None:
            shown, question = self._shown, self._question
            before = await self._with_saved(question) if shown is None or shown.is_past else shown
            for mark in marks:
                await ask(self._visit.tacit.unmark, mark.id)
            toast("Taken back: it counts as before.")
            await self._compare(before, _UNMARKED)

        if not marks:
            toast(_OTHERS_MARKS if made else "There is no mark on it any more.")
        elif len(marks) == 1:
            await take_back()
        else:
            title = f"Take back all {len(marks)} marks on this memory?"
            confirm(title, _MANY_MARKS, "Take back", take_back, Look.PRIMARY)

    async def _compare(self, before: Outcome, title: str) -> None:
        """Run the question again, beside what it gave before."""
        self._saved = None
        self._tell_address(self._question)
        await self._run(self._question, Before(outcome=before, title=title))

    @property
    def _shown(self) -> Outcome | None:
        return None if self._result is None else self._result.outcome

    async def _run(
        self, question: Question, before: Before | None = None, *, is_new: bool = False
    ) -> None:
        """Ask, and show what comes back, unless something else was asked meanwhile.

        What is new goes by the settings as they are saved now.
        """
        self._wait(True)
        try:
            ready = await self._latest.of(self._answered(question, before, is_new))
        except InvalidInput as error:
            self._wait(False)
            if not self._objected(error):
                raise
            return
        except Exception:
            self._wait(False)
            raise
        if ready is not None:
            self._question = question
            self._show(ready)
            self._wait(False)

    async def _answered(self, question: Question, before: Before | None, is_new: bool) -> _Ready:
        if is_new:
            await self._panel.follow(question.agent)
        return await self._prepared(*await self._previewed(question, before))

    async def _previewed(
        self, question: Question, before: Before | None
    ) -> tuple[Outcome, Before | None]:
        """A preview with what is tried, and what to compare it with."""
        changes = self._panel.changes
        if not changes:
            return await self._with_saved(question), before
        outcome = await preview(self._visit.tacit, question, changes)
        if before is None:
            before = Before(outcome=await self._with_saved(question), title=_TRIED)
        return outcome, before

    async def _with_saved(self, question: Question) -> Outcome:
        """A preview with the saved settings; the same question is asked once."""
        if self._saved is None or self._saved[0] != question:
            self._saved = (question, await preview(self._visit.tacit, question, {}))
        return self._saved[1]

    async def _prepared(self, outcome: Outcome, before: Before | None = None) -> _Ready:
        """An outcome with all that is needed to draw it."""
        if self._result is None:
            self._result = self._open()
            with self._below, box("aside", "section", id=TRY_SETTINGS, aria_label="Try settings"):
                await self._panel.build(outcome.receipt.agent or "")
        found = await self._result.prepare(outcome, before)
        return _Ready(outcome=outcome, title=before.title if before else "", found=found)

    def _show(self, ready: _Ready) -> None:
        if self._result is not None:
            floor = None if ready.outcome.is_past else self._panel.floor
            self._result.show(
                ready.outcome, self._about(), title=ready.title, found=ready.found, floor=floor
            )

    def _wait(self, is_waiting: bool) -> None:
        if self._result is not None:
            self._result.wait(is_waiting)

    def _about(self) -> str:
        count = len(self._panel.changes)
        if not count:
            return "in a preview with the settings as they are saved"
        tried = "1 setting that is" if count == 1 else f"{count} settings that are"
        return f"in a preview with {tried} not saved"

    def _open(self) -> Result:
        """Make room for results."""
        with self._below:
            return Result(
                self._visit,
                on_mark=self._mark,
                on_unmark=self._unmark,
                on_again=self._again,
                on_assigned=self._after_assigning,
            )

    def _objected(self, error: InvalidInput) -> bool:
        """Whether what is wrong could be said at a control."""
        return self._panel.object_to(error) or self._form.object_to(error.field, error.problem)

    def _tell_address(self, question: Question) -> None:
        aim = self._visit.link(INSPECTOR.path, **question.address())
        ui.navigate.history.replace(aim)


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
