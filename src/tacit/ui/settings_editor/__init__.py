"""The editor of a settings file: forms, notices, and a bar to save.

Others may write the same file: the editor follows their changes, and asks where both sides changed
a setting.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from tacit.core.errors import ConfigChanged, InvalidInput, TacitError
from tacit.runtime.trust import IgnoredSetting
from tacit.settings.config import SettingSource, SettingsTable
from tacit.settings.live_config import ConfigProblem
from tacit.ui.kit.buttons import ButtonStyle, UnsavedChanges, button, toast
from tacit.ui.kit.display import notice
from tacit.ui.kit.elements import add_text, box, link, set_hidden
from tacit.ui.settings_editor.concurrent_edits import (
    ConcurrentEdit,
    SettingKey,
    SettingsSnapshot,
    find_concurrent_edits,
    merge_edits,
)
from tacit.ui.settings_editor.form import SettingsForm

SettingsChanges: TypeAlias = Mapping[SettingsTable, Mapping[str, Any]]

_PART = "settings"
_WRITE_ATTEMPTS = 5


class SettingsBackend(Protocol):
    """What the editor needs of a settings file."""

    async def version(self) -> str | None:
        """The current version."""

    async def read(self) -> SettingsSnapshot:
        """The current settings."""

    async def write(self, changes: SettingsChanges, version: str | None) -> SettingsSnapshot:
        """Change some settings, if the file still has that version."""


class SettingsEditor:
    """Forms for the tables of a settings file, notices, and a bar to save.

    Edits by others are shown where the person has not touched the setting. Where they have, nothing
    is saved until they choose one of the two values.
    """

    def __init__(
        self,
        file: SettingsBackend,
        snapshot: SettingsSnapshot,
        *,
        owner: SettingSource,
        enabled: bool,
        unsaved: UnsavedChanges,
        on_read: Callable[[SettingsSnapshot], Awaitable[None]] | None = None,
    ) -> None:
        self._file = file
        self._snapshot = snapshot
        self._owner = owner
        self._enabled = enabled
        self._unsaved = unsaved
        self._on_read = on_read
        self._forms: dict[SettingsTable, SettingsForm] = {}
        self._theirs: dict[SettingKey, ConcurrentEdit] = {}
        self._undecided: set[SettingKey] = set()
        self._lock = asyncio.Lock()
        self._notices = SettingsNotices(self._take_theirs, self._keep_mine, self._dismiss)
        self._save_bar: SaveBar | None = None
        self._notices.show_file_problems(snapshot.problem, snapshot.warnings, snapshot.ignored)

    @property
    def snapshot(self) -> SettingsSnapshot:
        """The settings as they were read last."""
        return self._snapshot

    def build_form(self, table: SettingsTable) -> SettingsForm:
        """Build the form of a table in the current slot."""
        form = SettingsForm(
            self._snapshot.tables[table],
            enabled=self._enabled,
            owner=self._owner,
            defaults=self._snapshot.defaults,
            on_change=self._on_form_change,
        )
        self._forms[table] = form
        return form

    def build_save_bar(self) -> None:
        """Build the bar to save, after the forms."""
        self._save_bar = SaveBar(self.save, self.discard)

    async def follow_file(self) -> None:
        """Check whether somebody else changed the file; an unreachable server is ignored."""
        async with self._lock:
            try:
                if await self._file.version() != self._snapshot.version:
                    await self._follow(await self._file.read())
            except TacitError:
                return

    async def save(self) -> None:
        """Write all changes, or none."""
        async with self._lock:
            if self._undecided or self._show_problems(self._problems()):
                return
            try:
                await self._write()
            except InvalidInput as error:
                if not self._show_problems(_to_problems(error)):
                    raise

    async def discard(self) -> None:
        """Drop all unsaved changes."""
        for form in self._forms.values():
            form.revert()
        await self._dismiss()

    async def adopt(self, snapshot: SettingsSnapshot) -> None:
        """Continue from settings that were written on this page."""
        self._theirs.clear()
        await self._show_snapshot(snapshot)
        self._update()

    async def _write(self) -> None:
        """Write on top of edits by others, never over a setting that both changed."""
        for _ in range(_WRITE_ATTEMPTS):
            sent = self._changes()
            try:
                snapshot = await self._file.write(sent, self._snapshot.version)
            except ConfigChanged:
                await self._follow(await self._file.read())
                if self._undecided:
                    return
                continue
            await self.adopt(snapshot)
            toast(_saved_text(sum(map(len, sent.values()))))
            return
        raise ConfigChanged("others keep changing the settings; try again")

    async def _follow(self, snapshot: SettingsSnapshot) -> None:
        """Show edits by others where the person has not touched the setting."""
        changed = list(find_concurrent_edits(self._snapshot, snapshot))
        await self._show_snapshot(snapshot)
        self._theirs = merge_edits(self._theirs, changed)
        self._undecided |= {each.key for each in changed} & self._touched()
        self._update()

    async def _show_snapshot(self, snapshot: SettingsSnapshot) -> None:
        self._snapshot = snapshot
        self._notices.show_file_problems(snapshot.problem, snapshot.warnings, snapshot.ignored)
        for table, form in self._forms.items():
            form.show(snapshot.tables[table], snapshot.defaults)
        if self._on_read is not None:
            await self._on_read(snapshot)

    def _on_form_change(self) -> None:
        """The person changed something, perhaps while another value arrived."""
        overtaken = {
            (table, name) for table, form in self._forms.items() for name in form.overtaken
        }
        self._undecided |= overtaken & self._theirs.keys()
        self._update()

    async def _take_theirs(self, key: SettingKey) -> None:
        table, name = key
        self._forms[table].revert(name)
        self._update()

    async def _keep_mine(self, key: SettingKey) -> None:
        self._undecided.discard(key)
        self._update()

    async def _dismiss(self) -> None:
        self._theirs.clear()
        self._update()

    def _update(self) -> None:
        touched = self._touched()
        self._undecided &= touched
        drafts = {(table, name): self._forms[table].draft_text(name) for table, name in touched}
        self._notices.show_edits(self._theirs.values(), drafts, frozenset(self._undecided))
        if self._save_bar is not None:
            self._save_bar.show(len(touched), len(self._problems()), len(self._undecided))
        self._unsaved.mark(_PART, bool(touched))

    def _touched(self) -> set[SettingKey]:
        return {(table, name) for table, form in self._forms.items() for name in form.touched}

    def _changes(self) -> dict[SettingsTable, dict[str, Any]]:
        return {table: form.changes for table, form in self._forms.items() if form.changes}

    def _problems(self) -> dict[SettingKey, str]:
        return {
            (table, name): problem
            for table, form in self._forms.items()
            for name, problem in form.problems.items()
        }

    def _show_problems(self, problems: Mapping[SettingKey, str]) -> bool:
        """Show each problem at its control; returns whether there was one to show."""
        here = [(table, name) for table, name in problems if table in self._forms]
        for table, name in here:
            self._forms[table].show_problem(name, problems[table, name])
        return bool(here)


def _to_problems(error: InvalidInput) -> dict[SettingKey, str]:
    """The setting that the server rejected, if the error names one."""
    table, _, name = error.field.partition(".")
    known = table in tuple(SettingsTable)
    return {(SettingsTable(table), name): error.problem} if known else {}


def _saved_text(number: int) -> str:
    settings = "1 setting" if number == 1 else f"{number} settings"
    return f"Saved {settings}. In force from the next turn on."


ResolveEdit = Callable[[SettingKey], Awaitable[None]]

EDITS_ANCHOR = "choices"
"""The anchor of the edits by others."""

_KEPT_VALUES = (
    "The values here are those of before. Mend the file; its text is at the foot of Settings."
)


class SettingsNotices:
    """The notices above the forms; they are rebuilt only if they change."""

    def __init__(
        self,
        take_theirs: ResolveEdit,
        keep_mine: ResolveEdit,
        dismiss: Callable[[], Awaitable[None]],
    ) -> None:
        self._take_theirs = take_theirs
        self._keep_mine = keep_mine
        self._dismiss = dismiss
        self._shown: object = None
        self._file_problems = box("notices")
        self._edits = box("notices", id=EDITS_ANCHOR, tabindex="-1")

    def show_file_problems(
        self,
        problem: ConfigProblem | None,
        warnings: Sequence[str] = (),
        ignored: Sequence[IgnoredSetting] = (),
    ) -> None:
        """Show why the file is not used, and which of its values are ignored."""
        self._file_problems.clear()
        if ignored:
            with self._file_problems:
                notice("\n".join(map(str, ignored)), title="Settings of a project are ignored")
        if warnings:
            with self._file_problems:
                notice("\n".join(warnings), title="Some values are left out")
        if problem is not None:
            with (
                self._file_problems,
                notice(problem.message, "bad", "The settings file is not used as it is"),
            ):
                add_text(_KEPT_VALUES, tag="p")

    def show_edits(
        self,
        theirs: Iterable[ConcurrentEdit],
        drafts: Mapping[SettingKey, str],
        undecided: frozenset[SettingKey],
    ) -> None:
        """Show the edits by others, and ask where both sides changed a setting."""
        shown = [(each, drafts.get(each.key), each.key in undecided) for each in theirs]
        if shown == self._shown:
            return
        self._shown = shown
        self._edits.clear()
        if shown:
            with self._edits, notice(_lead_text(undecided), title="Changed by someone else"):
                self._list(shown)
                if not undecided:
                    button("Dismiss", self._dismiss)

    def _list(self, shown: list[tuple[ConcurrentEdit, str | None, bool]]) -> None:
        with box("theirs", "ul"):
            for each, mine, is_undecided in shown:
                with box(tag="li"):
                    add_text(each.label, tag="strong")
                    yours = "" if mine is None else f", yours is {mine}"
                    add_text(f"was {each.before}, theirs is {each.theirs}{yours}")
                    if is_undecided:
                        self._choice(each)

    def _choice(self, each: ConcurrentEdit) -> None:
        with box("row"):
            for text, decide in (
                ("Take theirs", self._take_theirs),
                ("Keep mine", self._keep_mine),
            ):
                button(text, _resolve_action(decide, each.key), aria_label=f"{text}: {each.label}")


def _resolve_action(decide: ResolveEdit, key: SettingKey) -> Callable[[], Awaitable[None]]:
    return lambda: decide(key)


def _lead_text(undecided: frozenset[SettingKey]) -> str:
    if undecided:
        return "Nothing of yours is saved yet, and nothing of theirs is overwritten."
    return "What you have not touched here shows their values by now."


class SaveBar:
    """The number of unsaved changes, with Save and Discard; hidden if there are none."""

    def __init__(
        self, save: Callable[[], Awaitable[None]], discard: Callable[[], Awaitable[None]]
    ) -> None:
        with box("savebar", role="region", aria_label="Unsaved changes") as self._element:
            self._summary = box(aria_live="polite")
            with box("actions"):
                button("Discard", discard)
                self._choose = link("Choose", f"#{EDITS_ANCHOR}", "button primary")
                self._save = button("Save", save, ButtonStyle.PRIMARY)
        set_hidden(self._element, True)

    def show(self, unsaved: int, wrong: int, undecided: int) -> None:
        """Update the bar."""
        self._summary.clear()
        with self._summary:
            add_text(unsaved_summary(unsaved, wrong, undecided), tag="p")
        set_hidden(self._choose, not undecided)
        set_hidden(self._save, bool(undecided))
        set_hidden(self._element, not unsaved)


def unsaved_summary(unsaved: int, wrong: int, undecided: int) -> str:
    """How many changes are unsaved, and what prevents saving them."""
    count = "1 unsaved change" if unsaved == 1 else f"{unsaved} unsaved changes"
    if undecided:
        return (
            f"{count}. Somebody else changed {_count_of(undecided, unsaved)}: choose which counts."
        )
    if wrong:
        return f"{count}. Fix the errors below to save."
    return count


def _count_of(number: int, unsaved: int) -> str:
    if unsaved == 1:
        return "it"
    return "one of them" if number == 1 else f"{number} of them"
