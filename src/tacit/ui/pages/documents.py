"""Documents: folders that are searched beside the memories."""

from nicegui.element import Element

from tacit.core.access.role import Role
from tacit.grounding.documents.values import DocumentSearch, DocumentStatus, Excerpt, Folder, Unread
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import badge, card, empty, figure, notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.dialog import asking_button
from tacit.ui.kit.element import box, heading, say
from tacit.ui.kit.toast import toast
from tacit.ui.latest import Latest
from tacit.ui.page import Page
from tacit.ui.rooms import DOCUMENTS
from tacit.ui.visit import Visit

_HITS = 5


async def build(visit: Visit) -> None:
    """What is indexed, a search in it, and the folders."""
    shown = box("stack")
    await _show(visit, shown)


async def _show(visit: Visit, shown: Element) -> None:
    status = await ask(visit.tacit.documents.status)
    shown.clear()
    with shown:
        with card("Indexed"), box("figures"):
            figure("folders", f"{len(status.folders):,}")
            figure("files", f"{status.files:,}")
            figure("passages", f"{status.chunks:,}")
            figure("waiting", f"{status.waiting:,}", "found by words only until they have vectors")
        _search(visit, status)
        with card("Folders"):
            _folders(visit, status, shown)
        if visit.may(Role.ADMIN, server_wide=True):
            _adding(visit, shown)
        if status.unread:
            _unread(status.unread)


def _search(visit: Visit, status: DocumentStatus) -> None:
    if not status.chunks:
        return
    with card("Search", "The passages that a grounded prompt would be given."):
        text = Control(Kind.SEARCH, "What is asked", "", placeholder="cache timeout")
        found, latest = box("stack"), Latest()

        async def search() -> None:
            results = await latest.of(_searched(visit, text.value or ""))
            if results is None:
                return
            found.clear()
            with found:
                for result in results:
                    _result(result)

        text.listen(search)


async def _searched(visit: Visit, text: str) -> list[DocumentSearch]:
    """What is found, if anything is asked."""
    return [await ask(visit.tacit.documents.search, text, _HITS)] if text.strip() else []


def _result(result: DocumentSearch) -> None:
    for left_out in result.degraded:
        notice(left_out)
    if not result.hits:
        empty("Nothing found", "No passage has to do with these words.")
    for hit in result.hits:
        _hit(hit)


def _hit(hit: Excerpt) -> None:
    with box("card", "article"):
        with box("spread"):
            heading(hit.source, 3)
            say(f"lines {hit.first_line}–{hit.last_line}, score {hit.score:.3f}", "quiet number")
        if hit.heading:
            say(hit.heading, "quiet")
        say(hit.text, "passage", "pre", tabindex="0", aria_label=f"Passage of {hit.source}")


def _folders(visit: Visit, status: DocumentStatus, shown: Element) -> None:
    if not status.folders:
        empty(
            "No folders",
            "Add a folder of the server's disk here, or with: tacit docs add FOLDER.",
        )
        return
    with box("table", "table"), box(tag="tbody"):
        for folder in status.folders:
            with box(tag="tr"):
                _folder(visit, folder, shown)
    if visit.may(Role.ADMIN, for_every_user=True):

        async def index() -> None:
            report = await ask(visit.patient.documents.index)
            await _show(visit, shown)
            toast(
                f"Read {report.indexed:,} new or changed files, {report.unchanged:,} as before,"
                f" {report.removed:,} gone."
            )

        with box("row"):
            button("Read again", index)


def _folder(visit: Visit, folder: Folder, shown: Element) -> None:
    with box("breaking", "th", scope="row"):
        say(folder.path or "a folder of the server")
        if folder.exclude:
            say(f" without {', '.join(folder.exclude)}", "quiet")
    with box(tag="td"):
        if folder.is_own:
            badge("the workspace's own")
        elif visit.may(Role.ADMIN, server_wide=True):
            _removing(visit, folder, shown)


def _removing(visit: Visit, folder: Folder, shown: Element) -> None:
    async def remove() -> None:
        await ask(visit.tacit.documents.remove, folder.path)
        await _show(visit, shown)

    asking_button(
        "Remove",
        remove,
        f"Search {folder.path} no more?",
        "Its passages are found no more. The files stay as they are.",
        aria_label=f"Remove the folder {folder.path}",
    )


def _adding(visit: Visit, shown: Element) -> None:
    with card("Add a folder"):
        path = Control(Kind.TEXT, "Path on the server", "", placeholder="/srv/handbook")
        exclude = Control(
            Kind.TEXT, "Leave out", "", hint="Patterns, with commas between: drafts/*, *.log"
        )

        async def add() -> None:
            patterns = [each.strip() for each in (exclude.value or "").split(",") if each.strip()]
            await ask(visit.tacit.documents.add, path.value or "", patterns)
            report = await ask(visit.patient.documents.index)
            await _show(visit, shown)
            toast(f"Read {report.indexed:,} files, {report.chunks:,} passages.")

        button("Add and read it", add, Look.PRIMARY)


def _unread(unread: tuple[Unread, ...]) -> None:
    with (
        card("Not read", "Files that are there and are not searched."),
        box("table", "table"),
        box(tag="tbody"),
    ):
        for each in unread:
            with box(tag="tr"):
                say(each.path, "breaking", "th", scope="row")
                say(each.reason, tag="td")


PAGE = Page(DOCUMENTS, build)
