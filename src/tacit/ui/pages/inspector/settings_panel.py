"""The panel of the inspector that tries other settings, and can save them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from nicegui.element import Element

from tacit.api.server_status import SettingsReport
from tacit.core.errors import ConfigChanged, InvalidInput
from tacit.core.keys import Role
from tacit.settings.config import SettingEntry, SettingSource, SettingsTable
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import ButtonStyle, button, dialog, dialog_buttons, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import card
from tacit.ui.kit.elements import add_text, box, set_hidden
from tacit.ui.page_context import PageContext
from tacit.ui.settings_editor.form import SettingsForm

_FLOOR_SETTING = "contextual_min_score"
_CHANGED_BY_OTHERS = (
    "Somebody else changed the settings meanwhile, so nothing was saved. What you see now starts"
    " from theirs; look once more, and save again."
)

TRY_SETTINGS = "try-settings"
"""The anchor of the panel."""

Callback = Callable[[], Awaitable[None]]


def may_try_settings(context: PageContext) -> bool:
    """Whether the viewer may read the settings, and so try others."""
    return context.may(Role.READ, server_wide=True)


class SettingsPanel:
    """The settings of memory injection, changed for previews only, or saved.

    `on_try` is called after every change, `on_saved` after every save.
    """

    def __init__(self, context: PageContext, *, on_try: Callback, on_saved: Callback) -> None:
        self._context = context
        self._on_try = on_try
        self._on_saved = on_saved
        self._agent = ""
        self._version: str | None = None
        self._form: SettingsForm | None = None
        self._entries: Mapping[str, SettingEntry] = {}
        self._actions: Element | None = None
        self._buttons: Element | None = None

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that are tried, by name."""
        return {} if self._form is None else self._form.changes

    @property
    def floor(self) -> float | None:
        """The minimum relevance of previews, if the viewer may read settings."""
        saved = self._entries.get(_FLOOR_SETTING)
        return None if saved is None else float(self.changes.get(_FLOOR_SETTING, saved.value))

    async def build(self, agent: str) -> None:
        """Load the settings of an agent and show them, or say why that is not allowed."""
        if not may_try_settings(self._context):
            add_text(_NOT_READ, "quiet", "p")
            return
        await self._read(agent)
        with card("Try settings", classes="panel"):
            add_text(_ABOUT, "quiet", "p")
            with box("stack actions-of-panel", hidden=True) as self._actions:
                self._tried = box()
                self._buttons = box("row")
            self._build_buttons()
            self._form = SettingsForm(self._entries, compact=True, on_change=self._on_form_change)

    async def follow(self, agent: str) -> None:
        """Load the saved settings of an agent; what is tried stays."""
        if self._form is not None:
            is_other = agent != self._agent
            await self._read(agent)
            if is_other:
                self._build_buttons()
            self._form.show(self._entries)
            self._show_actions()

    def show_problem(self, error: InvalidInput) -> bool:
        """Show a problem at its setting; returns whether the panel has that setting."""
        if self._form is None or error.field not in self._entries:
            return False
        self._form.show_problem(error.field, error.problem)
        return True

    async def _read(self, agent: str) -> None:
        report = await call_api(self._context.tacit.settings.show)
        self._agent, self._version = agent, report.version
        self._entries = await self._load_entries(report, agent)

    async def _load_entries(self, report: SettingsReport, agent: str) -> Mapping[str, SettingEntry]:
        """The settings in force for an agent, or the defaults."""
        entries = report.tables[SettingsTable.MEMORY_INJECTION]
        if not agent:
            return entries
        own = await call_api(self._context.tacit.settings.agent, agent)
        return {
            name: replace(each, value=own.values[name], source=own.sources[name])
            for name, each in entries.items()
        }

    async def _on_form_change(self) -> None:
        self._show_actions()
        await self._on_try()

    def _show_actions(self) -> None:
        """Show the buttons if something is tried."""
        if self._actions is None:
            return
        count = len(self.changes)
        self._tried.clear()
        with self._tried:
            add_text(_tried_text(count), "tried", "p", role="status")
        set_hidden(self._actions, not count)

    def _build_buttons(self) -> None:
        if self._buttons is None:
            return
        self._buttons.clear()
        with self._buttons:
            if self._context.may(Role.ADMIN, server_wide=True):
                self._build_save_buttons()
            button("Discard", self._discard)

    def _build_save_buttons(self) -> None:
        agent = self._agent
        if agent:
            button(f"Save for agent {agent}", lambda: self._save_for(agent), ButtonStyle.PRIMARY)
            button("Save as default", self._save)
        else:
            button("Save as default", self._save, ButtonStyle.PRIMARY)
            button("Save for agent …", self._open_agent_dialog)

    async def _discard(self) -> None:
        if self._form is not None:
            self._form.revert()
        self._show_actions()
        await self._on_try()

    async def _save(self) -> None:
        changes = self.changes
        if await self._try_write(
            lambda: self._context.tacit.settings.change(
                {SettingsTable.MEMORY_INJECTION: changes}, version=self._version
            )
        ):
            await self._after_save(self._agent, changes, "Saved as default, for the next turn on.")

    async def _save_for(self, agent: str) -> None:
        changes = self.changes
        if await self._try_write(
            lambda: self._context.tacit.settings.change_agent(agent, changes, version=self._version)
        ):
            await self._after_save(self._agent, changes, f"Saved for agent {agent}.")

    async def _try_write(self, write: Callable[[], object]) -> bool:
        """Write, and return whether that worked; after an edit by others, show theirs."""
        try:
            await call_api(write)
        except ConfigChanged:
            await self.follow(self._agent)
            await self._on_try()
            toast(_CHANGED_BY_OTHERS)
            return False
        except InvalidInput as error:
            if not self.show_problem(error):
                raise
            return False
        return True

    async def _after_save(self, agent: str, changes: Mapping[str, Any], text: str) -> None:
        if self._form is not None:
            self._form.revert()
        await self.follow(agent)
        await self._on_saved()
        toast(f"{text}{self._own_values_text(changes)}")

    def _own_values_text(self, changes: Mapping[str, Any]) -> str:
        """Which saved defaults have no effect here, because the agent overrides them."""
        own = [
            each.definition.label
            for name, each in self._entries.items()
            if name in changes
            and each.source is SettingSource.AGENT
            and each.value != changes[name]
        ]
        return f" Agent {self._agent} keeps its own {', '.join(own)}." if own else ""

    async def _open_agent_dialog(self) -> None:
        shown, inside = dialog("Save for an agent")

        async def save() -> None:
            await self._save_for((named.value or "").strip())

        with inside:
            add_text(
                "It gets these values as its own; the defaults stay as they are.", "quiet", "p"
            )
            named = Control(ControlKind.TEXT, "Agent", "", placeholder="reviewer")
            dialog_buttons(shown, "Save", save)
        shown.open()


def _tried_text(count: int) -> str:
    return "1 setting is tried, unsaved." if count == 1 else f"{count} settings are tried, unsaved."


_ABOUT = "Change something and see at once what it does to this message. Nothing is saved."
_NOT_READ = (
    "Settings can be tried with a key that is good for every workspace; yours is for this one."
)
