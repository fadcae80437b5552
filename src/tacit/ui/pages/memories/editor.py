"""Forms for memories: the fields as controls, the editor of one, and the dialog for a new one."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.kinds import MemoryType, Scope
from tacit.core.memory import Memory
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, UnsavedChanges, button, dialog, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import notice
from tacit.ui.kit.elements import add_text, box, heading, timestamp
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.view_model import (
    DATE_FIELDS,
    EMPTY_VALUES,
    FormValues,
    changed_fields,
    diff_fields,
    filled_fields,
    rebase_values,
    to_form_values,
)
from tacit.writing.draft import Status, Written

_EDITED_PART = "memory"
_CHANGED_MEANWHILE = (
    "Nothing is saved yet. Your own changes are still in the form; the other fields show what is"
    " new. Save again if that is right."
)


class MemoryEditor:
    """A form for an existing memory; `after` is called when it was saved or cancelled.

    Only changed fields are sent, and edits by others are never overwritten.
    """

    def __init__(
        self, context: PageContext, memory: Memory, after: Callable[[], Awaitable[Any]]
    ) -> None:
        self._context = context
        self._base = memory
        self._after = after
        self._unsaved = UnsavedChanges()
        self._unsaved.mark(_EDITED_PART, True)
        heading("Edit")
        self._notices = box("stack")
        self._fields = MemoryFieldControls(to_form_values(memory))
        with box("actions"):
            button("Cancel", self._close)
            button("Save", self._save, ButtonStyle.PRIMARY)

    async def _close(self) -> None:
        self._unsaved.mark(_EDITED_PART, False)
        await self._after()

    async def _save(self) -> None:
        self._fields.clear_problems()
        try:
            wanted = changed_fields(self._base, self._fields.values)
            if wanted and await self._is_current():
                await self._write(wanted)
            elif not wanted:
                await self._close()
        except InvalidInput as error:
            if not self._fields.show_problem(error):
                raise

    async def _write(self, wanted: dict[str, Any]) -> None:
        written = await call_api(self._context.tacit.edit, self._base.id, **wanted)
        is_queued = written.status is Status.QUEUED
        with self._notices:
            toast("It waits for a person at Review." if is_queued else "Saved.")
            await self._close()

    async def _is_current(self) -> bool:
        """Whether nobody changed the memory meanwhile; if somebody did, show the changes."""
        fresh = await call_api(self._context.tacit.get, self._base.id)
        if fresh.updated_at == self._base.updated_at:
            return True
        theirs = diff_fields(self._base, fresh)
        self._fields.show(rebase_values(self._base, fresh, self._fields.values))
        self._base = fresh
        self._notices.clear()
        with (
            self._notices,
            notice(
                _CHANGED_MEANWHILE,
                "warn",
                "This memory was changed meanwhile",
            ),
            box(tag="ul"),
        ):
            for each in theirs:
                with box("breaking", "li"):
                    add_text(f"{FIELD_LABELS[each.field]}: ")
                    _show_value(each.field, each.old)
                    add_text(" → ")
                    _show_value(each.field, each.new)
        return False


def _show_value(field: str, value: Any) -> None:
    if value in ("", None):
        add_text("nothing")
    elif field in DATE_FIELDS:
        timestamp(value)
    elif isinstance(value, bool):
        add_text("yes" if value else "no")
    else:
        add_text(str(value))


_NEW_PART = "new memory"
_STATUS_TEXTS = {
    Status.CREATED: "Remembered.",
    Status.KNOWN: "This was known already.",
    Status.UPDATED: "This was known; what you added is kept too.",
    Status.RESTORED: "This had been forgotten or had ended, and is back.",
    Status.QUEUED: "It waits for a person at Review.",
}


def open_new_dialog(context: PageContext, after: Callable[[], Awaitable[Any]]) -> None:
    """Open the dialog for a new memory."""
    shown, inside = dialog("New memory", wide=True)
    shown.props["persistent"] = True  # a slip of the hand must not lose what is written
    unsaved = UnsavedChanges()
    with inside:

        def changed() -> None:
            unsaved.mark(_NEW_PART, fields.values != EMPTY_VALUES)

        fields = MemoryFieldControls(EMPTY_VALUES, changed)

        async def leave() -> None:
            unsaved.mark(_NEW_PART, False)
            shown.close()

        async def keep() -> None:
            fields.clear_problems()
            try:
                written = await call_api(context.tacit.remember, **filled_fields(fields.values))
            except InvalidInput as error:
                if not fields.show_problem(error):
                    raise
                return
            await leave()
            toast(remembered_text(written))
            await after()

        with box("actions"):
            button("Cancel", leave)
            button("Remember", keep, ButtonStyle.PRIMARY)
    shown.open()


def remembered_text(written: Written) -> str:
    """The result of remembering, in words."""
    text = _STATUS_TEXTS.get(written.status, str(written.status).capitalize() + ".")
    replaced = len(written.superseded)
    if replaced == 0:
        return text
    return f"{text} It replaces {'an older one' if replaced == 1 else f'{replaced:,} older ones'}."


_TYPES = {str(each): str(each).capitalize() for each in MemoryType}
_SCOPES = {str(each): str(each).capitalize() for each in Scope}


_PINNED_HINT = "In view whatever is asked, while Ambient Awareness is on in the settings"


class MemoryFieldControls:
    """Controls for every field of a memory; problems are shown at their field."""

    def __init__(self, values: FormValues, on_change: Callable[[], Any] | None = None) -> None:
        self._controls: dict[str, Control] = {}
        self._values = values
        self._on_change = on_change
        self._add(
            ControlKind.AREA, "content", "Content", rows=4, hint="One statement worth knowing later"
        )
        with box("memory-fields"):
            self._add_main_fields()
        with box("more-fields", "details"):
            add_text("More fields", tag="summary")
            with box("memory-fields"):
                self._add_more_fields()

    @property
    def values(self) -> dict[str, Any]:
        """The values of the controls."""
        return {name: control.value for name, control in self._controls.items()}

    def show(self, values: FormValues) -> None:
        """Put other values into the controls."""
        for name, control in self._controls.items():
            control.set_value(values[name])

    def show_problem(self, error: InvalidInput) -> bool:
        """Show a problem at its field; returns whether there is such a field."""
        self.clear_problems()
        control = self._controls.get(error.field.rpartition(".")[2])
        if control is not None:
            control.show_problem(error.problem)
        return control is not None

    def clear_problems(self) -> None:
        """Remove all messages about problems."""
        for control in self._controls.values():
            control.show_problem(None)

    def _add_main_fields(self) -> None:
        self._add(ControlKind.SELECT, "type", "Type", options=_TYPES)
        self._add(ControlKind.TEXT, "key", "Key", hint="For facts with one current value")
        self._add_number("importance", "Importance", "0 to 1; how much it matters")
        self._add_number("confidence", "Confidence", "0 to 1; how sure one is")
        self._add(ControlKind.SELECT, "scope", "Scope", options=_SCOPES)
        self._add(ControlKind.TEXT, "scope_id", "Owner", hint="The id of the user, project, …")
        self._add(
            ControlKind.DATE, "expires_at", "Expires on", hint="Gone from the beginning of that day"
        )
        self._add(ControlKind.SWITCH, "pinned", "Pinned", hint=_PINNED_HINT)

    def _add_more_fields(self) -> None:
        self._add(ControlKind.AREA, "tags", "Tags", rows=3, hint="One on each line")
        self._add(
            ControlKind.AREA, "metadata", "Metadata", rows=3, hint="A JSON object of your own"
        )
        self._add(ControlKind.TEXT, "agent", "For one agent only", hint="Empty for all agents")
        self._add(
            ControlKind.DATE, "valid_from", "True from", hint="From the beginning of that day"
        )
        self._add(ControlKind.DATE, "valid_to", "True until", hint="No longer on that day")

    def _add_number(self, name: str, label: str, hint: str) -> None:
        self._add(
            ControlKind.NUMBER,
            name,
            label,
            low=0,
            high=1,
            step=0.05,
            hint=hint,
            placeholder="as usual",
        )

    def _add(self, kind: ControlKind, name: str, label: str, **options: Any) -> None:
        self._controls[name] = Control(
            kind, label, self._values[name], on_change=self._on_change, **options
        )


FIELD_LABELS: Mapping[str, str] = {
    "content": "Content",
    "type": "Type",
    "key": "Key",
    "importance": "Importance",
    "confidence": "Confidence",
    "scope": "Scope",
    "scope_id": "Owner",
    "agent": "Agent",
    "source": "Written by",
    "origin": "Origin",
    "trust": "Trust",
    "explicit": "By a person",
    "pinned": "Pinned",
    "tags": "Tags",
    "metadata": "Metadata",
    "valid_from": "True from",
    "valid_to": "True until",
    "superseded_by": "Replaced by",
    "successor": "Until",
    "expires_at": "Expires",
    "reason": "Why",
    "likelihood": "How likely",
    "merged": "Says the same",
}
"""The labels of fields on the pages."""
