"""The page about episodes: what people said, kept as they said it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from nicegui import ui

from tacit.core.episodes import Episode, EpisodeRole
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.keys import Role
from tacit.ui.api_calls import LatestCall, call_api
from tacit.ui.erase_dialog import open_erase_dialog
from tacit.ui.kit.buttons import ButtonStyle, button, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, empty, notice
from tacit.ui.kit.elements import add_text, box, link, timestamp
from tacit.ui.navigation import SAID, SETTINGS, memory_link, receipt_link, session_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.said.said_query import SaidQuery, SaidResult, find_said
from tacit.ui.speakers import recent_speakers

_EPISODE = "episode"
_WHAT = (
    "What people say in their conversations is kept as they said it, without secrets, and shown to"
    " agents with its day when it fits a message. Only turns of the same user see it."
)
_SWITCHED_OFF = "To keep none of it, set Keep What Was Said to off in the settings, under Writing."
_WHOSE = "Name a user, or a session, to see what was said."
_ERASE_WARNING = (
    "These words, their vectors, and every block that shows them are overwritten. It cannot be"
    " undone. Copies outside, such as backups and exports, are not reached. To hide them instead,"
    " forget them."
)


async def build_page(context: PageContext) -> None:
    """A list of episodes with a form above it, or the one that the address names."""
    id = context.query.get(_EPISODE)
    await (_SaidPage(context).build() if id is None else _build_single(context, id))


async def _build_single(context: PageContext, id: str) -> None:
    place = box("stack")

    async def show() -> None:
        try:
            episode = await call_api(context.tacit.episodes.get, id)
        except (InvalidInput, NotFound):
            episode = None
        place.clear()
        with place:
            if episode is None:
                empty("These words are gone", "They were erased, or they are not yours to see.")
                return
            whose = {"user": episode.user} if episode.user else {"session": episode.session}
            link("All that was said", context.link(SAID.path, **whose))
            with box("card said", "ul"):
                _EpisodeView(context, show).build(episode)

    await show()


class _SaidPage:
    """The form and the list; of overlapping loads, the latest is shown."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        query = SaidQuery.from_query(context.query)
        self._query = replace(query, user=context.status.user or query.user)
        self._latest = LatestCall()

    async def build(self) -> None:
        """Build the page and load the first episodes."""
        self._build_form()
        self._list = box("stack")
        await self._load()

    def _build_form(self) -> None:
        is_bound = self._context.status.user is not None
        with box("card said-form"):
            self._fields = {
                "user": Control(ControlKind.TEXT, "User", self._query.user, enabled=not is_bound),
                "project": Control(
                    ControlKind.TEXT, "Project", self._query.project, placeholder="any"
                ),
                "session": Control(
                    ControlKind.TEXT, "Session", self._query.session, placeholder="any"
                ),
                "text": Control(
                    ControlKind.SEARCH,
                    "Search what was said",
                    self._query.text,
                    placeholder="where does Jonas work",
                ),
            }
        for control in self._fields.values():
            control.listen(self._apply)

    async def _apply(self) -> None:
        """Show what the form asks for, from its first page."""
        values = {name: str(each.value or "").strip() for name, each in self._fields.items()}
        await self._show_query(SaidQuery(**values))

    async def _show_query(self, query: SaidQuery) -> None:
        self._query = query
        ui.navigate.history.replace(self._context.link(SAID.path, **query.to_query()))
        await self._load()

    async def _load(self) -> None:
        found = await self._latest.run(call_api(find_said, self._context.tacit, self._query))
        if found is None:
            return
        names_nobody = not self._query.has_owner
        speakers = await call_api(recent_speakers, self._context.tacit) if names_nobody else ()
        self._list.clear()
        with self._list:
            if names_nobody and not found.episodes:
                self._show_speakers(speakers)
                return
            if speakers:
                self._build_speaker_links(speakers)
            self._show(found)

    def _build_speaker_links(self, speakers: Sequence[str]) -> None:
        """Links to the words of users, above those of the one who has no name."""
        with box("row", "nav", aria_label="Who spoke"):
            add_text("Said without a user. Others who spoke:", "quiet")
            for name in speakers:
                link(name, self._context.link(SAID.path, user=name))

    def _show_speakers(self, speakers: Sequence[str]) -> None:
        with box("card"):
            links = [(name, self._context.link(SAID.path, user=name)) for name in speakers]
            empty("Whose words?", f"{_WHOSE} {_WHAT}", links)

    def _show(self, found: SaidResult) -> None:
        for left_out in found.degraded:
            notice(left_out)
        if not found.episodes:
            self._show_empty()
            return
        if self._query.text:
            add_text(_about_search(self._query), "quiet", "p")
        with box("card said", "ul", aria_label="What was said"):
            for episode in found.episodes:
                _EpisodeView(self._context, self._load).build(episode)
        self._build_paging(found)

    def _show_empty(self) -> None:
        with box("card"):
            if self._query.text or self._query.after:
                empty("Nothing that was said fits", _about_search(self._query))
                return
            may_set = SETTINGS.is_open_to(self._context)
            links = [("Open the settings", self._context.link(SETTINGS.path))] if may_set else []
            empty("Nothing was kept of what was said", f"{_WHAT} {_SWITCHED_OFF}", links)

    def _build_paging(self, found: SaidResult) -> None:
        if not found.has_more and not self._query.after:
            return

        async def newest() -> None:
            await self._show_query(replace(self._query, after=""))

        async def older() -> None:
            await self._show_query(replace(self._query, after=found.episodes[-1].id))

        with box("row", "nav", aria_label="Pages of the list"):
            if self._query.after:
                button("Newest", newest)
            if found.has_more:
                button("Older", older)


class _EpisodeView:
    """An episode in a list, with its buttons; `reload` shows the list again afterwards."""

    def __init__(self, context: PageContext, reload: Callable[[], Awaitable[None]]) -> None:
        self._context, self._tacit, self._reload = context, context.tacit, reload

    def build(self, episode: Episode) -> None:
        """Show the words, when and where they were said, and what can be done with them."""
        with box("forgotten" if episode.forgotten else "", "li"):
            add_text(episode.text, "statement", "p")
            with box("row"):
                self._build_origin(episode)
            if self._context.may_write:
                with box("row"):
                    self._build_buttons(episode)

    def _build_origin(self, episode: Episode) -> None:
        timestamp(episode.at)
        if episode.role is EpisodeRole.ASSISTANT:
            badge("the assistant's words", "accent")
        if episode.forgotten:
            badge("forgotten", "warn")
        link(f"Session {episode.session}", session_link(self._context, episode.session), "breaking")
        if episode.project is not None:
            add_text(f"Project {episode.project}", "quiet breaking")
        if episode.turn:
            link("View turn", receipt_link(self._context, episode.turn))

    def _build_buttons(self, episode: Episode) -> None:
        async def keep() -> None:
            await self._keep(episode)

        async def forget() -> None:
            await call_api(self._tacit.episodes.forget, episode.id)
            toast("Forgotten: no turn and no search finds it.", restore)
            await self._reload()

        async def restore() -> None:
            await call_api(self._tacit.episodes.restore, episode.id)
            toast("Restored.")
            await self._reload()

        async def erase() -> None:
            open_erase_dialog(
                "Erase these words for good",
                _ERASE_WARNING,
                lambda: call_api(self._tacit.erase, episode.id),
                self._reload,
            )

        if episode.forgotten:
            button("Restore", restore, ButtonStyle.PRIMARY, aria_label=_label("Restore", episode))
        else:
            button("Keep as a memory", keep, aria_label=_label("Keep as a memory", episode))
            button("Forget", forget, aria_label=_label("Forget", episode))
        if self._context.may(Role.ADMIN):
            button("Erase", erase, ButtonStyle.DANGER, aria_label=_label("Erase", episode))

    async def _keep(self, episode: Episode) -> None:
        written = await call_api(self._tacit.episodes.promote, episode.id)
        if written.review is not None:
            toast("A person decides at Review whether it is kept.")
            return
        ui.navigate.to(memory_link(self._context, written.memory.id))


def _about_search(query: SaidQuery) -> str:
    """What a search looks at: what a turn in the project would see."""
    where = f"in {query.project} or in no project" if query.project else "in no project"
    return f"Searched: what was said {where}. Excludes forgotten and replaced messages."


def _label(act: str, episode: Episode) -> str:
    return f"{act}: {episode.text[:80]}"


PAGE = PageRoute(SAID, build_page)
