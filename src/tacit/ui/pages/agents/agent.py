"""An agent: the settings that it goes by, and which of them are its own."""

from tacit.api.client.server.server import RemoteServer
from tacit.core.access.role import Role
from tacit.core.errors import ConfigChanged
from tacit.settings.config.config import Source
from tacit.settings.config.tables import Table
from tacit.ui.asking import ask
from tacit.ui.form.desk import Changes, Desk
from tacit.ui.form.reading import Reading, agents_reading
from tacit.ui.form.unsaved import Unsaved
from tacit.ui.form.version import version_of
from tacit.ui.kit.card import card, notice
from tacit.ui.kit.dialog import asking_button
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.toast import toast
from tacit.ui.pages.agents.status import counted, status
from tacit.ui.rooms import AGENTS
from tacit.ui.visit import Visit
from tacit.ui.watching import watch

_LOOK_SECONDS = 3.0
_READER = "You see the settings and cannot change them: that needs a key with the role admin."


class SettingsOfAgent:
    """What a desk asks of the settings of one agent."""

    def __init__(self, server: RemoteServer, id: str) -> None:
        self._server = server
        self._id = id

    async def version(self) -> str | None:
        """The version of what is there now."""
        return await version_of(self._server)

    async def read(self) -> Reading:
        """The settings as they are now; those of all are read first."""
        report = await ask(self._server.settings)
        return agents_reading(report, await ask(self._server.agent, self._id))

    async def write(self, changes: Changes, version: str | None) -> Reading:
        """Change some, if the file is still of that version."""
        own = changes[Table.MEMORY_INJECTION]
        await ask(self._server.change_agent, self._id, own, version=version)
        return await self.read()

    async def give_up(self, version: str | None) -> Reading:
        """Let the agent go by those of all, if the file is still of that version."""
        await ask(self._server.change_agent, self._id, {}, reset=True, version=version)
        return await self.read()


async def build(visit: Visit) -> None:
    """The settings of the agent that the address names."""
    file = SettingsOfAgent(visit.server, visit.query["id"])
    page = _Page(visit, file, await file.read())
    watch(_LOOK_SECONDS, page.desk.look)


class _Page:
    """The form of an agent, and above it how far it differs."""

    def __init__(self, visit: Visit, file: SettingsOfAgent, reading: Reading) -> None:
        self._file = file
        self._enabled = visit.may(Role.ADMIN, server_wide=True)
        link("All agents", visit.link(AGENTS.path), "back")
        if not self._enabled:
            notice(_READER, "neutral")
        self.desk = Desk(
            file,
            reading,
            owner=Source.AGENT,
            enabled=self._enabled,
            unsaved=Unsaved(),
            on_read=self._draw,
        )
        with card("Memory injection"):
            self._status = box("spread")
            self.desk.form(Table.MEMORY_INJECTION)
        self._show(reading)
        self.desk.foot()

    async def _draw(self, reading: Reading) -> None:
        self._show(reading)

    def _show(self, reading: Reading) -> None:
        own = _own(reading)
        self._status.clear()
        with self._status:
            with box("row"):
                status(own)
                say(f"{counted(own)}; all others are the defaults." if own else _DEFAULT, "quiet")
            if own and self._enabled:
                asking_button(
                    "Revert to Default",
                    self._revert,
                    "Revert to Default",
                    f"The agent gives up {counted(own)} and goes by the defaults from its next turn"
                    " on. What is unsaved here is dropped.",
                )

    async def _revert(self) -> None:
        try:
            reading = await self._file.give_up(self.desk.reading.version)
        except ConfigChanged:
            await self.desk.look()
            raise
        await self.desk.discard()
        await self.desk.take(reading)
        toast("The agent uses the defaults now.")


_DEFAULT = "It goes by the defaults. What you change here counts for this agent only."


def _own(reading: Reading) -> int:
    """How many settings are the agent's own."""
    sources = [each.source for each in reading.tables[Table.MEMORY_INJECTION].values()]
    return sources.count(Source.AGENT)
