"""A desk: forms over a file that others write too, and what is unsaved, saved and contested."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeAlias

from tacit.core.errors import ConfigChanged, InvalidInput, TacitError
from tacit.settings.config.config import Source
from tacit.settings.config.tables import Table
from tacit.ui.form.form import SettingsForm
from tacit.ui.form.meanwhile import Meanwhile, Place, joined, meanwhile
from tacit.ui.form.notices import Notices
from tacit.ui.form.reading import Reading
from tacit.ui.form.savebar import SaveBar
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.kit.toast import toast

Changes: TypeAlias = Mapping[Table, Mapping[str, Any]]

_PART = "settings"
_TRIES = 5


class File(Protocol):
    """What a desk asks of the file."""

    async def version(self) -> str | None:
        """The version of what is there now."""

    async def read(self) -> Reading:
        """The settings as they are now."""

    async def write(self, changes: Changes, version: str | None) -> Reading:
        """Change some, if the file is still of that version."""


class Desk:
    """Some forms, a place for notices and a bar to save.

    What others change is followed where the person has not touched it. Where they have, nothing is
    saved until they have said which of the two counts.
    """

    def __init__(
        self,
        file: File,
        reading: Reading,
        *,
        owner: Source,
        enabled: bool,
        unsaved: Unsaved,
        on_read: Callable[[Reading], Awaitable[None]] | None = None,
    ) -> None:
        self._file = file
        self._reading = reading
        self._owner = owner
        self._enabled = enabled
        self._unsaved = unsaved
        self._on_read = on_read
        self._forms: dict[Table, SettingsForm] = {}
        self._theirs: dict[Place, Meanwhile] = {}
        self._undecided: set[Place] = set()
        self._turn = asyncio.Lock()
        self._notices = Notices(self._take_theirs, self._keep_mine, self._dismiss)
        self._bar: SaveBar | None = None
        self._notices.problem(reading.problem, reading.warnings, reading.ignored)

    @property
    def reading(self) -> Reading:
        """The settings as they were read last."""
        return self._reading

    def form(self, table: Table) -> SettingsForm:
        """Build the form of a table, into the current slot."""
        made = SettingsForm(
            self._reading.tables[table],
            enabled=self._enabled,
            owner=self._owner,
            defaults=self._reading.defaults,
            on_change=self._heard,
        )
        self._forms[table] = made
        return made

    def foot(self) -> None:
        """Build the bar to save, after the forms."""
        self._bar = SaveBar(self.save, self.discard)

    async def look(self) -> None:
        """See whether somebody else has changed the file; a server that is away is asked later."""
        async with self._turn:
            try:
                if await self._file.version() != self._reading.version:
                    await self._follow(await self._file.read())
            except TacitError:
                return

    async def save(self) -> None:
        """Write what was changed, all of it or nothing."""
        async with self._turn:
            if self._undecided or self._object_to(self._problems()):
                return
            try:
                await self._write()
            except InvalidInput as error:
                if not self._object_to(_named(error)):
                    raise

    async def discard(self) -> None:
        """Drop what was changed."""
        for form in self._forms.values():
            form.revert()
        await self._dismiss()

    async def take(self, reading: Reading) -> None:
        """Go on from settings that were written here, whether by these forms or not."""
        self._theirs.clear()
        await self._adopt(reading)
        self._draw()

    async def _write(self) -> None:
        """Write on top of what others changed elsewhere in the file, never over what they chose."""
        for _ in range(_TRIES):
            sent = self._changes()
            try:
                reading = await self._file.write(sent, self._reading.version)
            except ConfigChanged:
                await self._follow(await self._file.read())
                if self._undecided:
                    return
                continue
            await self.take(reading)
            toast(_saved(sum(map(len, sent.values()))))
            return
        raise ConfigChanged("others keep changing the settings; try again")

    async def _follow(self, reading: Reading) -> None:
        """Take over what somebody else has written, as far as nobody here has touched it."""
        changed = list(meanwhile(self._reading, reading))
        await self._adopt(reading)
        self._theirs = joined(self._theirs, changed)
        self._undecided |= {each.place for each in changed} & self._touched()
        self._draw()

    async def _adopt(self, reading: Reading) -> None:
        self._reading = reading
        self._notices.problem(reading.problem, reading.warnings, reading.ignored)
        for table, form in self._forms.items():
            form.show(reading.tables[table], reading.defaults)
        if self._on_read is not None:
            await self._on_read(reading)

    def _heard(self) -> None:
        """The person has changed something, perhaps while another value for it came in."""
        overtaken = {
            (table, name) for table, form in self._forms.items() for name in form.overtaken
        }
        self._undecided |= overtaken & self._theirs.keys()
        self._draw()

    async def _take_theirs(self, place: Place) -> None:
        table, name = place
        self._forms[table].revert(name)
        self._draw()

    async def _keep_mine(self, place: Place) -> None:
        self._undecided.discard(place)
        self._draw()

    async def _dismiss(self) -> None:
        self._theirs.clear()
        self._draw()

    def _draw(self) -> None:
        touched = self._touched()
        self._undecided &= touched
        wishes = {(table, name): self._forms[table].wish(name) for table, name in touched}
        self._notices.changes(self._theirs.values(), wishes, frozenset(self._undecided))
        if self._bar is not None:
            self._bar.draw(len(touched), len(self._problems()), len(self._undecided))
        self._unsaved.mark(_PART, bool(touched))

    def _touched(self) -> set[Place]:
        return {(table, name) for table, form in self._forms.items() for name in form.touched}

    def _changes(self) -> dict[Table, dict[str, Any]]:
        return {table: form.changes for table, form in self._forms.items() if form.changes}

    def _problems(self) -> dict[Place, str]:
        return {
            (table, name): problem
            for table, form in self._forms.items()
            for name, problem in form.problems.items()
        }

    def _object_to(self, problems: Mapping[Place, str]) -> bool:
        """Say what is wrong at each control; gives whether there was something to say."""
        here = [(table, name) for table, name in problems if table in self._forms]
        for table, name in here:
            self._forms[table].object_to(name, problems[table, name])
        return bool(here)


def _named(error: InvalidInput) -> dict[Place, str]:
    """The setting that a server finds wrong, if it names one."""
    table, _, name = error.field.partition(".")
    known = table in tuple(Table)
    return {(Table(table), name): error.problem} if known else {}


def _saved(number: int) -> str:
    settings = "1 setting" if number == 1 else f"{number} settings"
    return f"Saved {settings}. In force from the next turn on."
