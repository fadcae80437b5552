"""The form of a question: the message, and in a row that folds away for whom it is."""

from collections.abc import Awaitable, Callable

from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import card
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, say
from tacit.ui.pages.inspector.question import WHO, Question
from tacit.ui.visit import Visit

_HINT = "Ctrl+Enter asks. Nothing is stored, and no model is called."
_LABELS = {
    "session": "Session",
    "agent": "Agent",
    "user": "User",
    "project": "Project",
    "org": "Organisation",
}


class QuestionForm:
    """Controls that hold a question, `is_past` where a turn asked it; put more into its `card`."""

    def __init__(
        self,
        visit: Visit,
        question: Question,
        on_ask: Callable[[], Awaitable[None]],
        *,
        is_past: bool = False,
    ) -> None:
        with card(classes="ask") as self.card:
            with box("message"):
                self._text = Control(
                    Kind.AREA,
                    "Ask as an agent would",
                    question.text,
                    rows=2,
                    hint=_HINT,
                    placeholder="Which database do we use?",
                    on_enter=on_ask,
                )
                button("Ask", on_ask, Look.PRIMARY)
            with box("fold", "details"):
                self._summary = say("", tag="summary")
                self._build_audience(visit, question)
        asked = f"Asked for {question.who()}" if is_past else f"For {question.audience()}"
        self._summary.set_text(asked)

    @property
    def question(self) -> Question:
        """What is asked now."""
        named = {name: (control.value or "").strip() for name, control in self._who.items()}
        return Question(text=self._text.value or "", **named, afresh=bool(self._afresh.value))

    def show(self, question: Question) -> None:
        """Put another question into the form."""
        self._text.value = question.text
        for name, control in self._who.items():
            control.value = getattr(question, name)
        self._afresh.value = question.afresh
        self._tell()

    def object_to(self, name: str, problem: str) -> bool:
        """Say at a control what is wrong with it; tells whether there is such a control."""
        control = {"text": self._text, **self._who}.get(name)
        if control is not None:
            control.object_to(problem)
        return control is not None

    def accept(self) -> None:
        """Nothing is wrong any more."""
        for control in (self._text, *self._who.values()):
            control.object_to(None)
        self._tell()

    def _build_audience(self, visit: Visit, question: Question) -> None:
        bound = {"agent": visit.status.agent, "user": visit.status.user}
        with box("audience"):
            self._who: dict[str, Control] = {
                name: Control(
                    Kind.TEXT,
                    _LABELS[name],
                    bound.get(name) or getattr(question, name),
                    placeholder="new" if name == "session" else "none",
                    enabled=bound.get(name) is None,
                    on_change=self._tell,
                )
                for name in ("session", *WHO)
            }
        self._afresh = Control(
            Kind.SWITCH,
            "As if nothing were in view",
            question.afresh,
            hint="Leaves out of account what the session was shown so far.",
            on_change=self._tell,
        )

    def _tell(self) -> None:
        self._summary.set_text(f"For {self.question.audience()}")
