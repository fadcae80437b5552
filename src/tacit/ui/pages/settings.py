"""The settings page: a form for every table of the settings file, and its raw text."""

from collections.abc import Awaitable, Callable

from nicegui.element import Element

from tacit.api.protocols.administration import SettingsProtocol
from tacit.api.server_status import SettingsReport
from tacit.core.errors import ConfigChanged, ConfigError
from tacit.core.keys import Role
from tacit.settings.config import SettingSource, SettingsTable
from tacit.settings.config_file import FileVersion
from tacit.ui.api_calls import call_api, error_message, poll
from tacit.ui.kit.buttons import ButtonStyle, UnsavedChanges, button, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import Disclosure, card, empty, notice
from tacit.ui.kit.elements import add_text, box, set_hidden
from tacit.ui.navigation import SETTINGS
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.settings_editor import SettingsChanges, SettingsEditor
from tacit.ui.settings_editor.concurrent_edits import (
    SettingsSnapshot,
    load_settings_version,
    to_snapshot,
)

_POLL_SECONDS = 3.0
_ABOUT = "These are the defaults of all agents. What an agent has of its own, under Agents, wins."
_READ_ONLY = "You see the settings and cannot change them: that needs a key with the role admin."


async def build_page(context: PageContext) -> None:
    """All settings of the server, and the text of their file."""
    page = _SettingsPage(context, await call_api(context.tacit.settings.show))
    await page.raw.follow()
    poll(_POLL_SECONDS, page.editor.follow_file)


class _SettingsPage:
    """The parts of the page, and how they update each other."""

    def __init__(self, context: PageContext, report: SettingsReport) -> None:
        enabled = context.may(Role.ADMIN, server_wide=True)
        unsaved = UnsavedChanges()
        if not enabled:
            notice(_READ_ONLY, "neutral")
        self.editor = SettingsEditor(
            ServerSettingsBackend(context.tacit.settings),
            to_snapshot(report),
            owner=SettingSource.FILE,
            enabled=enabled,
            unsaved=unsaved,
            on_read=self._on_read,
        )
        self._search = Control(
            ControlKind.SEARCH,
            "Find a setting",
            "",
            placeholder="A word of its name or of what it does",
            on_change=self._find,
        )
        self._parts = {table: _TableSection(self.editor, table) for table in report.tables}
        self._nothing = empty("No setting has these words", "Try another word, or clear the box.")
        set_hidden(self._nothing, True)
        with Disclosure("The file itself", level=2, classes="card").inside:
            add_text(report.path, "code breaking")
            with box("raw"):
                self.raw = RawFileEditor(
                    context.tacit.settings, enabled=enabled, unsaved=unsaved, on_saved=self._written
                )
        self.editor.build_save_bar()

    def _find(self) -> None:
        number = sum(part.find(self._search.value) for part in self._parts.values())
        set_hidden(self._nothing, number > 0)

    async def _on_read(self, _: SettingsSnapshot) -> None:
        await self.raw.follow()

    async def _written(self, report: SettingsReport) -> None:
        await self.editor.adopt(to_snapshot(report))


class _TableSection:
    """A table of settings; all but memory injection are closed at first."""

    def __init__(self, editor: SettingsEditor, table: SettingsTable) -> None:
        entries = editor.snapshot.tables[table]
        self._closed: Disclosure | None = None
        self._element: Element
        if table is SettingsTable.MEMORY_INJECTION:
            self._element = card("Memory injection", _ABOUT)
            inside = self._element
        else:
            group = next(iter(entries.values())).definition.group
            note = f"{len(entries)} settings" if len(entries) != 1 else "1 setting"
            self._closed = Disclosure(group, level=2, note=note, classes="card")
            self._element, inside = self._closed.element, self._closed.inside
        with inside:
            self._form = editor.build_form(table)

    def find(self, text: str) -> int:
        """Show only the settings that match a text; returns their number."""
        number = self._form.find(text)
        set_hidden(self._element, number == 0)
        if self._closed is not None:
            self._closed.open_for_search(bool(text) and number > 0)
        return number


_PART = "raw"
_ROWS = 16


class RawFileEditor:
    """The text of the file with Check and Save; it follows the file until somebody types."""

    def __init__(
        self,
        settings: SettingsProtocol,
        *,
        enabled: bool,
        unsaved: UnsavedChanges,
        on_saved: Callable[[SettingsReport], Awaitable[None]],
    ) -> None:
        self._settings = settings
        self._unsaved = unsaved
        self._on_saved = on_saved
        self._read = self._before = FileVersion(text="", version="")
        self._text = Control(
            ControlKind.AREA,
            "Text of the file",
            "",
            rows=_ROWS,
            enabled=enabled,
            on_change=self._update,
            on_overtaken=self._overtaken,
        )
        self._notices = box("notices")
        with box("row") as self._tools:
            button("Check", self._check)
            button("Save the text", self._save, ButtonStyle.PRIMARY)
            button("Discard", self._discard)
        self._update()

    async def follow(self) -> None:
        """Show the current text, unless somebody has changed it here."""
        try:
            found = await call_api(self._settings.read_file)
        except ConfigError as error:
            self._show_notice(error_message(error), "bad")
            return
        if not self._is_changed and found.version != self._read.version:
            before = self._read
            self._adopt(found)
            self._before = before

    @property
    def _is_changed(self) -> bool:
        return bool(self._text.value != self._read.text)

    def _overtaken(self) -> None:
        """The person was typing on the text before this one."""
        self._read = self._before

    async def _check(self) -> None:
        problem = (await call_api(self._settings.check_file, self._text.value)).problem
        if problem is None:
            self._show_notice("This text can be used.", "good")
        else:
            self._show_notice(problem, "bad")

    async def _save(self) -> None:
        text = self._text.value
        try:
            report = await call_api(self._settings.write_file, text, version=self._read.version)
        except ConfigChanged:
            await self._contested()
        except ConfigError as error:
            self._show_notice(error_message(error), "bad")
        else:
            self._adopt(FileVersion(text=text, version=report.version or ""))
            await self._on_saved(report)
            toast("Saved the settings file. In force from the next turn on.")

    async def _contested(self) -> None:
        """Somebody else saved first: ask which text to keep."""
        theirs = await call_api(self._settings.read_file)

        async def take_theirs() -> None:
            self._adopt(theirs)

        async def keep_mine() -> None:
            self._read = theirs
            await self._save()

        self._notices.clear()
        with self._notices, notice(_CONTESTED, title="Changed by someone else"), box("row"):
            button("Take their text", take_theirs)
            button("Save mine on top", keep_mine)

    async def _discard(self) -> None:
        self._adopt(await call_api(self._settings.read_file))

    def _adopt(self, edition: FileVersion) -> None:
        self._read = self._before = edition
        self._text.value = edition.text
        self._notices.clear()
        self._update()

    def _show_notice(self, text: str, tone: str) -> None:
        self._notices.clear()
        with self._notices:
            notice(text, tone)

    def _update(self) -> None:
        set_hidden(self._tools, not self._is_changed)
        self._unsaved.mark(_PART, self._is_changed)


_CONTESTED = (
    "The file has another text since you read it; nothing is overwritten yet. Saving yours on top"
    " drops what they wrote."
)


class ServerSettingsBackend:
    """The settings file, as the settings editor reads and writes it."""

    def __init__(self, settings: SettingsProtocol) -> None:
        self._settings = settings

    async def version(self) -> str | None:
        """The current version of the file."""
        return await load_settings_version(self._settings)

    async def read(self) -> SettingsSnapshot:
        """The current settings."""
        return to_snapshot(await call_api(self._settings.show))

    async def write(self, changes: SettingsChanges, version: str | None) -> SettingsSnapshot:
        """Change some settings, if the file still has that version."""
        named = {str(table): values for table, values in changes.items()}
        return to_snapshot(await call_api(self._settings.change, named, version=version))


PAGE = PageRoute(SETTINGS, build_page)
