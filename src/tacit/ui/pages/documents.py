"""The documents page: folders that are searched beside the memories."""

from nicegui.element import Element

from tacit.core.keys import Role
from tacit.grounding.documents.results import (
    DocumentExcerpt,
    DocumentFolder,
    DocumentSearch,
    DocumentStatus,
    UnreadFile,
)
from tacit.ui.api_calls import LatestCall, call_api
from tacit.ui.kit.buttons import ButtonStyle, button, confirm_button, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty, figure, notice
from tacit.ui.kit.elements import add_text, box, heading
from tacit.ui.navigation import DOCUMENTS
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext

_MAX_HITS = 5


async def build_page(context: PageContext) -> None:
    """What is indexed, a search, and the folders."""
    shown = box("stack")
    await _show_documents(context, shown)


async def _show_documents(context: PageContext, shown: Element) -> None:
    status = await call_api(context.tacit.documents.status)
    shown.clear()
    with shown:
        with card("Indexed"), box("figures"):
            figure("folders", f"{len(status.folders):,}")
            figure("files", f"{status.files:,}")
            figure("passages", f"{status.chunks:,}")
            figure("waiting", f"{status.waiting:,}", "found by words only until they have vectors")
        _build_search(context, status)
        with card("Folders"):
            _show_folders(context, status, shown)
        if context.may(Role.ADMIN, server_wide=True):
            _build_add_form(context, shown)
        if status.unread:
            _show_unread(status.unread)


def _build_search(context: PageContext, status: DocumentStatus) -> None:
    if not status.chunks:
        return
    with card("Search", "The passages that a grounded prompt would be given."):
        text = Control(ControlKind.SEARCH, "What is asked", "", placeholder="cache timeout")
        found, latest = box("stack"), LatestCall()

        async def search() -> None:
            results = await latest.run(_search_documents(context, text.value or ""))
            if results is None:
                return
            found.clear()
            with found:
                for result in results:
                    _show_result(result)

        text.listen(search)


async def _search_documents(context: PageContext, text: str) -> list[DocumentSearch]:
    """Search, unless the text is empty."""
    return [await call_api(context.tacit.documents.search, text, _MAX_HITS)] if text.strip() else []


def _show_result(result: DocumentSearch) -> None:
    for left_out in result.degraded:
        notice(left_out)
    if not result.hits:
        empty("Nothing found", "No passage has to do with these words.")
    for hit in result.hits:
        _show_hit(hit)


def _show_hit(hit: DocumentExcerpt) -> None:
    with box("card", "article"):
        with box("spread"):
            heading(hit.source, 3)
            add_text(
                f"lines {hit.first_line}–{hit.last_line}, score {hit.score:.3f}", "quiet number"
            )
        if hit.heading:
            add_text(hit.heading, "quiet")
        add_text(hit.text, "passage", "pre", tabindex="0", aria_label=f"Passage of {hit.source}")


def _show_folders(context: PageContext, status: DocumentStatus, shown: Element) -> None:
    if not status.folders:
        empty(
            "No folders",
            "Add a folder of the server's disk here, or with: tacit docs add FOLDER.",
        )
        return
    with box("table", "table"), box(tag="tbody"):
        for folder in status.folders:
            with box(tag="tr"):
                _show_folder(context, folder, shown)
    if context.may(Role.ADMIN, for_every_user=True):

        async def index() -> None:
            report = await call_api(context.long_timeout_tacit.documents.index)
            await _show_documents(context, shown)
            toast(
                f"Read {report.indexed:,} new or changed files, {report.unchanged:,} as before,"
                f" {report.removed:,} gone."
            )

        with box("row"):
            button("Read again", index)


def _show_folder(context: PageContext, folder: DocumentFolder, shown: Element) -> None:
    with box("breaking", "th", scope="row"):
        add_text(folder.path or "a folder of the server")
        if folder.exclude:
            add_text(f" without {', '.join(folder.exclude)}", "quiet")
    with box(tag="td"):
        if folder.is_own:
            badge("the workspace's own")
        elif context.may(Role.ADMIN, server_wide=True):
            _build_remove_button(context, folder, shown)


def _build_remove_button(context: PageContext, folder: DocumentFolder, shown: Element) -> None:
    async def remove() -> None:
        await call_api(context.tacit.documents.remove, folder.path)
        await _show_documents(context, shown)

    confirm_button(
        "Remove",
        remove,
        f"Search {folder.path} no more?",
        "Its passages are found no more. The files stay as they are.",
        aria_label=f"Remove the folder {folder.path}",
    )


def _build_add_form(context: PageContext, shown: Element) -> None:
    with card("Add a folder"):
        path = Control(ControlKind.TEXT, "Path on the server", "", placeholder="/srv/handbook")
        exclude = Control(
            ControlKind.TEXT, "Leave out", "", hint="Patterns, with commas between: drafts/*, *.log"
        )

        async def add() -> None:
            patterns = [each.strip() for each in (exclude.value or "").split(",") if each.strip()]
            await call_api(context.tacit.documents.add, path.value or "", patterns)
            report = await call_api(context.long_timeout_tacit.documents.index)
            await _show_documents(context, shown)
            toast(f"Read {report.indexed:,} files, {report.chunks:,} passages.")

        button("Add and read it", add, ButtonStyle.PRIMARY)


def _show_unread(unread: tuple[UnreadFile, ...]) -> None:
    with (
        card("Not read", "Files that are there and are not searched."),
        box("table", "table"),
        box(tag="tbody"),
    ):
        for each in unread:
            with box(tag="tr"):
                add_text(each.path, "breaking", "th", scope="row")
                add_text(each.reason, tag="td")


PAGE = PageRoute(DOCUMENTS, build_page)
