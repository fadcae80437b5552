"""The agents page: which agents have settings of their own, and a form for those of one agent."""

import asyncio

from nicegui import ui
from nicegui.element import Element

from tacit.api.protocols.administration import SettingsProtocol
from tacit.api.server_status import Agent
from tacit.core.errors import ConfigChanged, InvalidInput
from tacit.core.fields import check_field
from tacit.core.keys import Role
from tacit.settings.config import SettingSource, SettingsTable
from tacit.ui.api_calls import call_api, poll
from tacit.ui.kit.buttons import UnsavedChanges, button, confirm_button, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty, notice, table
from tacit.ui.kit.elements import add_text, box, link
from tacit.ui.navigation import AGENTS, agent_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.settings_editor import SettingsChanges, SettingsEditor
from tacit.ui.settings_editor.concurrent_edits import (
    SettingsSnapshot,
    load_settings_version,
    to_agent_snapshot,
)

_ABOUT_AGENTS = "Every agent goes by the defaults under Settings, but for what it has of its own."


async def build_list_page(context: PageContext) -> None:
    """The agents that the settings file names, and a box to open any other."""
    agents = await call_api(context.tacit.settings.agents)
    own = await asyncio.gather(*(_load_own_count(context, each) for each in agents))
    with card("Agents with an entry", _ABOUT_AGENTS):
        if agents:
            _build_table(
                context, {each.id: number for each, number in zip(agents, own, strict=True)}
            )
        else:
            empty(
                "Every agent uses the defaults",
                "Name an agent below to see its settings, or to give it some of its own.",
            )
    _build_agent_search(context)


async def _load_own_count(context: PageContext, agent: Agent) -> int:
    """How many settings an agent overrides."""
    if not agent.is_overridden:
        return 0
    found = await call_api(context.tacit.settings.agent, agent.id)
    return list(found.sources.values()).count(SettingSource.AGENT)


def _build_table(context: PageContext, own: dict[str, int]) -> None:
    with table("Agents", ("Agent", "Status", "Differs in")):
        for id, number in own.items():
            with box(tag="tr"):
                with box(tag="th", scope="row"):
                    link(id, agent_link(context, id), "breaking")
                with box(tag="td"):
                    status_badge(number)
                add_text(own_settings_text(number) if number else "nothing", tag="td")


def _build_agent_search(context: PageContext) -> None:
    async def show() -> None:
        try:
            id = check_field("agent", str(named.value or "").strip())
        except InvalidInput as error:
            named.show_problem(error.problem)
            return
        ui.navigate.to(agent_link(context, id))

    with (
        card("Another agent", "Any name that a program gives its turns, such as reviewer."),
        box("row ends"),
    ):
        named = Control(ControlKind.TEXT, "Name of the agent", "", on_enter=show)
        button("Show its settings", show)


# The page of one agent.

_POLL_SECONDS = 3.0
_READ_ONLY = "You see the settings and cannot change them: that needs a key with the role admin."


class AgentSettingsBackend:
    """The settings of one agent, as the settings editor reads and writes them."""

    def __init__(self, settings: SettingsProtocol, id: str) -> None:
        self._settings = settings
        self._id = id

    async def version(self) -> str | None:
        """The current version of the settings file."""
        return await load_settings_version(self._settings)

    async def read(self) -> SettingsSnapshot:
        """The current settings; the defaults are read first."""
        report = await call_api(self._settings.show)
        return to_agent_snapshot(report, await call_api(self._settings.agent, self._id))

    async def write(self, changes: SettingsChanges, version: str | None) -> SettingsSnapshot:
        """Change some settings, if the file still has that version."""
        own = changes[SettingsTable.MEMORY_INJECTION]
        await call_api(self._settings.change_agent, self._id, own, version=version)
        return await self.read()

    async def reset_to_default(self, version: str | None) -> SettingsSnapshot:
        """Remove all overrides of the agent, if the file still has that version."""
        await call_api(self._settings.change_agent, self._id, {}, reset=True, version=version)
        return await self.read()


async def build_agent_page(context: PageContext) -> None:
    """The settings of the agent that the address names."""
    file = AgentSettingsBackend(context.tacit.settings, context.query["id"])
    page = _AgentPage(context, file, await file.read())
    poll(_POLL_SECONDS, page.editor.follow_file)


class _AgentPage:
    """The settings form of an agent, and above it how many settings differ."""

    def __init__(
        self, context: PageContext, file: AgentSettingsBackend, snapshot: SettingsSnapshot
    ) -> None:
        self._file = file
        self._enabled = context.may(Role.ADMIN, server_wide=True)
        link("All agents", context.link(AGENTS.path), "back")
        if not self._enabled:
            notice(_READ_ONLY, "neutral")
        self.editor = SettingsEditor(
            file,
            snapshot,
            owner=SettingSource.AGENT,
            enabled=self._enabled,
            unsaved=UnsavedChanges(),
            on_read=self._draw,
        )
        with card("Memory injection"):
            self._status = box("spread")
            self.editor.build_form(SettingsTable.MEMORY_INJECTION)
        self._show(snapshot)
        self.editor.build_save_bar()

    async def _draw(self, snapshot: SettingsSnapshot) -> None:
        self._show(snapshot)

    def _show(self, snapshot: SettingsSnapshot) -> None:
        own = _count_own_settings(snapshot)
        self._status.clear()
        with self._status:
            with box("row"):
                status_badge(own)
                add_text(
                    f"{own_settings_text(own)}; all others are the defaults."
                    if own
                    else _NO_OWN_SETTINGS,
                    "quiet",
                )
            if own and self._enabled:
                confirm_button(
                    "Revert to Default",
                    self._revert,
                    "Revert to Default",
                    f"The agent gives up {own_settings_text(own)} and goes by the defaults from its"
                    " next turn on. What is unsaved here is dropped.",
                )

    async def _revert(self) -> None:
        try:
            snapshot = await self._file.reset_to_default(self.editor.snapshot.version)
        except ConfigChanged:
            await self.editor.follow_file()
            raise
        await self.editor.discard()
        await self.editor.adopt(snapshot)
        toast("The agent uses the defaults now.")


_NO_OWN_SETTINGS = "It goes by the defaults. What you change here counts for this agent only."


def _count_own_settings(snapshot: SettingsSnapshot) -> int:
    """How many settings the agent overrides."""
    sources = [each.source for each in snapshot.tables[SettingsTable.MEMORY_INJECTION].values()]
    return sources.count(SettingSource.AGENT)


# Shared by both pages.


def status_badge(own: int) -> Element:
    """A badge for an agent that overrides so many settings."""
    return badge("Override", "accent") if own else badge("Using Default")


def own_settings_text(own: int) -> str:
    """How many settings an agent overrides, in words."""
    return "1 setting of its own" if own == 1 else f"{own} settings of its own"


PAGES = (
    PageRoute(AGENTS, build_list_page),
    PageRoute(AGENTS, build_agent_page, path=f"{AGENTS.path}/{{id:path}}", title="Agent {id}"),
)
