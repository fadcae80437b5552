"""The profile page: what is known of a person, by kind, and as text for a system prompt."""

from nicegui import ui

from tacit.core.kinds import Trust
from tacit.core.memory import Memory
from tacit.core.profile import PROFILE_SECTIONS, Profile
from tacit.ui.api_calls import LatestCall, call_api
from tacit.ui.kit.buttons import copy_button
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty
from tacit.ui.kit.elements import add_text, box, heading, link, timestamp
from tacit.ui.navigation import PROFILE, memory_link, profile_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.speakers import recent_speakers

_USER, _LIMIT = "user", "limit"
_LIMITS = {"10": "10 of a kind", "30": "30 of a kind", "100": "100 of a kind"}
_ABOUT = {
    "identity": "Who they are.",
    "rules": "Constraints that hold whatever is asked.",
    "preferences": "What they like and how they want it.",
    "facts": "Facts, goals and decisions that hold now.",
    "todos": "What is still to be done.",
}


async def build_page(context: PageContext) -> None:
    """A form for the user, and the profile below it."""
    await _ProfilePage(context).build()


class _ProfilePage:
    """The form and the profile; of overlapping loads, the latest is shown."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._latest = LatestCall()

    async def build(self) -> None:
        """Build the form and load the profile that the address names."""
        query, bound = self._context.query, self._context.status.user
        limit = query.get(_LIMIT, "")
        with box("card"), box("columns"):
            self._user = Control(
                ControlKind.TEXT,
                "User",
                bound or query.get(_USER, "").strip(),
                hint="Empty for the person without a name.",
                enabled=bound is None,
                on_change=self._apply,
            )
            self._limit = Control(
                ControlKind.SELECT,
                "At most",
                limit if limit in _LIMITS else next(iter(_LIMITS)),
                options=_LIMITS,
                on_change=self._apply,
            )
        self._place = box("stack")
        await self._load()

    @property
    def _name(self) -> str:
        return str(self._user.value or "").strip()

    async def _apply(self) -> None:
        address = self._context.link(PROFILE.path, user=self._name or None, limit=self._limit.value)
        ui.navigate.history.replace(address)
        await self._load()

    async def _load(self) -> None:
        tacit, name = self._context.tacit, self._name
        asked = call_api(tacit.profile, user=name or None, limit=int(self._limit.value))
        found = await self._latest.run(asked)
        if found is None:
            return
        speakers = () if found.memories else await call_api(recent_speakers, tacit)
        self._place.clear()
        with self._place:
            if found.memories:
                self._show(found)
            else:
                self._show_empty(name, [each for each in speakers if each != name])

    def _show_empty(self, name: str, speakers: list[str]) -> None:
        title = f"Nothing is known of {name}" if name else "Nothing is known without a name"
        links = [(each, profile_link(self._context, each)) for each in speakers]
        others = "These spoke of late:" if links else "What they say is learned after each turn."
        with box("card"):
            empty(title, f"Name a user to see what is known of them. {others}", links)

    def _show(self, found: Profile) -> None:
        with box("columns"):
            with box("stack"):
                for section in PROFILE_SECTIONS:
                    if memories := getattr(found, section):
                        self._show_section(section, memories)
            with box("card profile-text", "section"):
                with box("spread"):
                    heading("For a system prompt")
                    copy_button(found.text, "Copy the text")
                add_text("Programs get it by one call of profile.", "quiet", "p")
                add_text(found.text, "passage", "pre", tabindex="0", aria_label="The text")

    def _show_section(self, section: str, memories: tuple[Memory, ...]) -> None:
        title = section.capitalize()
        with card(title, _ABOUT[section]), box("profile-list", "ul", aria_label=title):
            for memory in memories:
                with box(tag="li"):
                    self._show_memory(memory)

    def _show_memory(self, memory: Memory) -> None:
        link(memory.content, memory_link(self._context, memory.id), "statement")
        with box("row quiet"):
            if memory.key:
                add_text(memory.key, "code breaking", "code")
            add_text(f"by {memory.source}")
            if memory.trust is not Trust.TRUSTED:
                badge(str(memory.trust), "warn")
            if memory.pinned:
                badge("pinned", "good")
            timestamp(memory.said_at)


PAGE = PageRoute(PROFILE, build_page)
