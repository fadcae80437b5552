"""Input of the inspector: the question form, and the list of past turns to pick from."""

from collections.abc import Awaitable, Callable, Sequence

from nicegui.element import Element

from tacit.core.receipt import Receipt
from tacit.turn.block import shorten
from tacit.ui.api_calls import call_api, report_errors
from tacit.ui.kit.buttons import ButtonStyle, button
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty, table
from tacit.ui.kit.elements import add_text, box, link, timestamp
from tacit.ui.navigation import receipt_link
from tacit.ui.page_context import PageContext
from tacit.ui.pages.inspector.outcomes import AUDIENCE_FIELDS, InspectorQuestion
from tacit.ui.turn_labels import SKIP_LABELS, proxy_label

_HINT = "Ctrl+Enter asks. Nothing is stored, and no model is called."
_LABELS = {
    "session": "Session",
    "agent": "Agent",
    "user": "User",
    "project": "Project",
    "org": "Organisation",
}


class QuestionForm:
    """The controls of a question; `is_past` if a past turn asked it. Put more into its `card`."""

    def __init__(
        self,
        context: PageContext,
        question: InspectorQuestion,
        on_ask: Callable[[], Awaitable[None]],
        *,
        is_past: bool = False,
    ) -> None:
        with card(classes="ask") as self.card:
            with box("message"):
                self._text = Control(
                    ControlKind.AREA,
                    "Ask as an agent would",
                    question.text,
                    rows=2,
                    hint=_HINT,
                    placeholder="Which database do we use?",
                    on_enter=on_ask,
                )
                button("Ask", on_ask, ButtonStyle.PRIMARY)
            with box("fold", "details"):
                self._summary = add_text("", tag="summary")
                self._build_audience(context, question)
        asked = (
            f"Asked for {question.audience_names()}"
            if is_past
            else f"For {question.audience_text()}"
        )
        self._summary.set_text(asked)

    @property
    def question(self) -> InspectorQuestion:
        """The question in the form."""
        named = {name: (control.value or "").strip() for name, control in self._audience.items()}
        return InspectorQuestion(
            text=self._text.value or "", **named, afresh=bool(self._afresh.value)
        )

    def show(self, question: InspectorQuestion) -> None:
        """Put another question into the form."""
        self._text.value = question.text
        for name, control in self._audience.items():
            control.value = getattr(question, name)
        self._afresh.value = question.afresh
        self._update_summary()

    def show_problem(self, name: str, problem: str) -> bool:
        """Show a problem at a control; returns whether the form has that control."""
        control = {"text": self._text, **self._audience}.get(name)
        if control is not None:
            control.show_problem(problem)
        return control is not None

    def clear_problems(self) -> None:
        """Remove all messages about problems."""
        for control in (self._text, *self._audience.values()):
            control.show_problem(None)
        self._update_summary()

    def _build_audience(self, context: PageContext, question: InspectorQuestion) -> None:
        bound = {"agent": context.status.agent, "user": context.status.user}
        with box("audience"):
            self._audience: dict[str, Control] = {
                name: Control(
                    ControlKind.TEXT,
                    _LABELS[name],
                    bound.get(name) or getattr(question, name),
                    placeholder="new" if name == "session" else "none",
                    enabled=bound.get(name) is None,
                    on_change=self._update_summary,
                )
                for name in ("session", *AUDIENCE_FIELDS)
            }
        self._afresh = Control(
            ControlKind.SWITCH,
            "As if nothing were in view",
            question.afresh,
            hint="Leaves out of account what the session was shown so far.",
            on_change=self._update_summary,
        )

    def _update_summary(self) -> None:
        self._summary.set_text(f"For {self.question.audience_text()}")


_MAX_TURNS = 20
_MAX_MESSAGE = 120


class PastTurns:
    """The last turns in a disclosure; they are loaded when it opens."""

    def __init__(self, context: PageContext, *, is_open: bool) -> None:
        self._context = context
        self._is_read = False
        with box("fold", "details", open=is_open) as folded:
            add_text("Past turns", tag="summary")
            self._inside: Element = box("stack")
        folded.on("toggle", report_errors(self.read), [])
        self._folded: Element = folded

    def close(self) -> None:
        """Close the disclosure."""
        self._folded.run_method("removeAttribute", "open")

    async def read(self) -> None:
        """Load and list the turns, once."""
        if self._is_read:
            return
        self._is_read = True
        try:
            found = await call_api(self._context.tacit.turns.list, limit=_MAX_TURNS)
        except Exception:
            self._is_read = False
            raise
        with self._inside:
            if found:
                _build_table(self._context, found)
            else:
                empty(
                    "No turn has taken place yet",
                    "Ask a message above, or let an agent begin its first turn.",
                )


def to_result_badge(receipt: Receipt) -> tuple[str, str]:
    """The text and tone of a badge for the result of a turn."""
    count = len(receipt.injected)
    if count:
        return f"{count} injected", "good"
    if receipt.skipped is not None:
        return f"skipped: {SKIP_LABELS[receipt.skipped].label}", "neutral"
    return "nothing injected", "neutral"


def _build_table(context: PageContext, receipts: Sequence[Receipt]) -> None:
    headings = ("Message", "Result", "Left out", "Session", "When")
    with table("Past turns", headings, "past", numbers=["Left out"]):
        for receipt in receipts:
            _build_row(context, receipt)


def _build_row(context: PageContext, receipt: Receipt) -> None:
    text = receipt.query.strip() or "(nothing was said)"
    with box(tag="tr"):
        with box(tag="th", scope="row"):
            link(shorten(text, _MAX_MESSAGE), receipt_link(context, receipt.id), "breaking")
        with box(tag="td"):
            badge(*to_result_badge(receipt))
            if receipt.degraded:
                badge("degraded", "warn")
            if (proxied := proxy_label(receipt)) is not None:
                badge(proxied.label, "neutral", title=proxied.note)
        add_text(str(len(receipt.candidates) - len(receipt.injected)), "number", "td")
        add_text(receipt.session, "breaking", "td")
        with box(tag="td"):
            timestamp(receipt.at, short=True)
