"""Editing one memory in its place: only what changed is sent, and never over others' changes."""

from collections.abc import Awaitable, Callable
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.memory.record import Memory
from tacit.ui.asking import ask
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import notice
from tacit.ui.kit.element import box, heading, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.toast import toast
from tacit.ui.pages.memories.fields import LABELS, FieldControls
from tacit.ui.pages.memories.form import DAYS, changes, differences, rebased, shown
from tacit.ui.visit import Visit
from tacit.writing.outcome import Status

_PART = "memory"
_MEANWHILE = (
    "Nothing is saved yet. Your own changes are still in the form; the other fields show what is"
    " new. Save again if that is right."
)


class Editor:
    """A form over a memory; `after` is called when it was saved or left."""

    def __init__(self, visit: Visit, memory: Memory, after: Callable[[], Awaitable[Any]]) -> None:
        self._visit = visit
        self._base = memory
        self._after = after
        self._unsaved = Unsaved()
        self._unsaved.mark(_PART, True)
        heading("Edit")
        self._said = box("stack")
        self._fields = FieldControls(shown(memory))
        with box("actions"):
            button("Cancel", self._leave)
            button("Save", self._save, Look.PRIMARY)

    async def _leave(self) -> None:
        self._unsaved.mark(_PART, False)
        await self._after()

    async def _save(self) -> None:
        self._fields.accept()
        try:
            wanted = changes(self._base, self._fields.values)
            if wanted and await self._is_current():
                await self._send(wanted)
            elif not wanted:
                await self._leave()
        except InvalidInput as error:
            if not self._fields.object_to(error):
                raise

    async def _send(self, wanted: dict[str, Any]) -> None:
        written = await ask(self._visit.tacit.edit, self._base.id, **wanted)
        is_queued = written.status is Status.QUEUED
        with self._said:
            toast("It waits for a person at Review." if is_queued else "Saved.")
            await self._leave()

    async def _is_current(self) -> bool:
        """Whether nobody has changed the memory meanwhile; if so, show what they did."""
        fresh = await ask(self._visit.tacit.get, self._base.id)
        if fresh.updated_at == self._base.updated_at:
            return True
        theirs = differences(self._base, fresh)
        self._fields.show(rebased(self._base, fresh, self._fields.values))
        self._base = fresh
        self._said.clear()
        with (
            self._said,
            notice(
                _MEANWHILE,
                "warn",
                "This memory was changed meanwhile",
            ),
            box(tag="ul"),
        ):
            for each in theirs:
                with box("breaking", "li"):
                    say(f"{LABELS[each.field]}: ")
                    _value(each.field, each.old)
                    say(" → ")
                    _value(each.field, each.new)
        return False


def _value(field: str, value: Any) -> None:
    if value in ("", None):
        say("nothing")
    elif field in DAYS:
        moment(value)
    elif isinstance(value, bool):
        say("yes" if value else "no")
    else:
        say(str(value))
