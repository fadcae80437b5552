"""The page of settings: every table, a search over all of them, and the file itself."""

from nicegui.element import Element

from tacit.api.client.server.settings import SettingsReport
from tacit.core.access.role import Role
from tacit.settings.config.config import Source
from tacit.settings.config.tables import Table
from tacit.ui.asking import ask
from tacit.ui.form.desk import Desk
from tacit.ui.form.hiding import hide
from tacit.ui.form.reading import Reading, reading
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.kit.card import card, empty, notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.disclosure import Disclosure
from tacit.ui.kit.element import box, say
from tacit.ui.pages.settings.file import SettingsOfAll
from tacit.ui.pages.settings.raw import RawFile
from tacit.ui.visit import Visit
from tacit.ui.watching import watch

_LOOK_SECONDS = 3.0
_ABOUT = "These are the defaults of all agents. What an agent has of its own, under Agents, wins."
_READER = "You see the settings and cannot change them: that needs a key with the role admin."


async def build(visit: Visit) -> None:
    """All settings of the server, and the file that they are written to."""
    page = _Page(visit, await ask(visit.server.settings))
    await page.raw.follow()
    watch(_LOOK_SECONDS, page.desk.look)


class _Page:
    """The parts of the page, and what they know of each other."""

    def __init__(self, visit: Visit, report: SettingsReport) -> None:
        enabled = visit.may(Role.ADMIN, server_wide=True)
        unsaved = Unsaved()
        if not enabled:
            notice(_READER, "neutral")
        self.desk = Desk(
            SettingsOfAll(visit.server),
            reading(report),
            owner=Source.FILE,
            enabled=enabled,
            unsaved=unsaved,
            on_read=self._heard,
        )
        self._search = Control(
            Kind.SEARCH,
            "Find a setting",
            "",
            placeholder="A word of its name or of what it does",
            on_change=self._find,
        )
        self._parts = {table: _Part(self.desk, table) for table in report.tables}
        self._nothing = empty("No setting has these words", "Try another word, or clear the box.")
        hide(self._nothing, True)
        with Disclosure("The file itself", level=2, classes="card").inside:
            say(report.path, "code breaking")
            with box("raw"):
                self.raw = RawFile(
                    visit.server, enabled=enabled, unsaved=unsaved, on_saved=self._written
                )
        self.desk.foot()

    def _find(self) -> None:
        number = sum(part.find(self._search.value) for part in self._parts.values())
        hide(self._nothing, number > 0)

    async def _heard(self, _: Reading) -> None:
        await self.raw.follow()

    async def _written(self, report: SettingsReport) -> None:
        await self.desk.take(reading(report))


class _Part:
    """A table: that of memory injection in full, any other closed until it is wanted."""

    def __init__(self, desk: Desk, table: Table) -> None:
        entries = desk.reading.tables[table]
        self._closed: Disclosure | None = None
        self._element: Element
        if table is Table.MEMORY_INJECTION:
            self._element = card("Memory injection", _ABOUT)
            inside = self._element
        else:
            group = next(iter(entries.values())).definition.group
            note = f"{len(entries)} settings" if len(entries) != 1 else "1 setting"
            self._closed = Disclosure(group, level=2, note=note, classes="card")
            self._element, inside = self._closed.element, self._closed.inside
        with inside:
            self._form = desk.form(table)

    def find(self, text: str) -> int:
        """Show only what has some words in it; gives how much that is."""
        number = self._form.find(text)
        hide(self._element, number == 0)
        if self._closed is not None:
            self._closed.seek(bool(text) and number > 0)
        return number
