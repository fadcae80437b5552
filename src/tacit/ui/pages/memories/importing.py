"""Files that are taken in: the dialog that asks for one, and what became of its lines."""

from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

from nicegui import ui
from nicegui.events import UploadEventArguments

from tacit.core.errors import Unanswered
from tacit.core.memory.kinds import MemoryType, Scope
from tacit.settings.config.tables import Table
from tacit.settings.server import ServerSettings
from tacit.ui.asking import ask, notify_of, words_of
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import notice
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.dialog import dialog
from tacit.ui.kit.element import box, say
from tacit.ui.kit.table import table
from tacit.ui.pages.memories.form import meant
from tacit.ui.visit import Visit
from tacit.writing.archive.format import Format
from tacit.writing.archive.report import ImportReport

_MOST_REJECTED = 100
_KILOBYTE = 1024
_FORMATS = {
    Format.AUTO: "Recognise it",
    Format.LINES: "A memory on each line",
    Format.JSONL: "JSON Lines",
    Format.MARKDOWN: "Markdown",
    Format.MEM0: "mem0",
    Format.CHATGPT: "ChatGPT memories",
    Format.CLAUDE: "Claude memory or CLAUDE.md",
}
_AS_USUAL = {"": "As usual"}
_TYPES = _AS_USUAL | {str(each): str(each).capitalize() for each in MemoryType}
_SCOPES = _AS_USUAL | {str(each): str(each).capitalize() for each in Scope}
_ABOUT = (
    "An export of Tacit or of mem0, Markdown, a memory file of Claude, memories copied from"
    " ChatGPT, or plain text with a memory on each line. What is known already is recognised."
)
_AGAIN = "It may still be at work; import the file again later, what is known is recognised."


async def open_import(visit: Visit, after: Callable[[], Awaitable[Any]]) -> None:
    """Ask for a file, take it in and show what became of its lines."""
    _Importing(visit, after, await _largest(visit)).open()


class _Importing:
    """The dialog, with one file at a time."""

    def __init__(self, visit: Visit, after: Callable[[], Awaitable[Any]], most: int) -> None:
        self._visit = visit
        self._after = after
        self._most = most
        self._shown, inside = dialog("Import memories")
        with inside:
            say(_ABOUT, tag="p")
            say(f"Up to {_size(most)}; the server's setting max_body_kb says so.", "quiet", "p")
            self._format = Control(Kind.SELECT, "Format", Format.AUTO, options=_FORMATS)
            self._defaults = _defaults()
            self._outcome = box("stack", aria_live="polite")
            self._picker = self._make_picker()
            with box("actions"):
                button("Close", self._leave)
                self._choose = self._make_button()

    def open(self) -> None:
        """Show it."""
        self._shown.open()

    async def _leave(self) -> None:
        self._shown.close()

    def _make_picker(self) -> ui.upload:
        """The browser's own way to choose a file; only its button is ours."""
        picker = ui.upload(
            auto_upload=True,
            max_file_size=self._most,
            on_upload=self._came,
            on_rejected=self._refuse,
        ).classes("unseen")
        picker.props["tabindex"] = "-1"
        picker.props["aria-hidden"] = "true"
        return picker

    def _make_button(self) -> Any:
        choose = say("Choose a file", f"button {Look.PRIMARY}", "button", type="button")
        choose.on("click", js_handler=f"() => runMethod({self._picker.id}, 'pickFiles', [])")
        return choose

    async def _came(self, event: UploadEventArguments) -> None:
        size = event.file.size()
        if size > self._most:
            self._refuse()
            return
        self._be_at_work(True)
        self._tell(f"Reading {event.file.name}, {_size(size)} …", "neutral")
        try:
            report = await self._take(event)
        except Unanswered as error:
            self._tell(f"{words_of(error)}. {_AGAIN}", "bad")
            return
        except Exception as error:
            self._tell(words_of(error), "bad")
            return
        finally:
            self._picker.reset()
            self._be_at_work(False)
        self._outcome.clear()
        with self._outcome:
            show_report(report)
            try:
                await self._after()
            except Exception as error:
                notify_of(error)

    async def _take(self, event: UploadEventArguments) -> ImportReport:
        said = {name: control.value for name, control in self._defaults.items()}
        fields = {name: meant(name, value) for name, value in said.items() if value}
        return await ask(
            self._visit.patient.import_from,
            BytesIO(await event.file.read()),
            format=self._format.value,
            name=event.file.name,
            **fields,
        )

    def _be_at_work(self, is_at_work: bool) -> None:
        """Nothing else is chosen meanwhile, and a slip of the hand does not lose the report."""
        self._shown.props.set_bool("persistent", is_at_work)
        self._choose.props.set_bool("disabled", is_at_work)

    def _refuse(self) -> None:
        limit = f"the server takes {_size(self._most)} at once"
        self._tell(f"Not taken: {limit}. Split the file, or raise max_body_kb.", "bad")
        self._picker.reset()

    def _tell(self, text: str, tone: str) -> None:
        self._outcome.clear()
        with self._outcome:
            notice(text, tone)


def _defaults() -> dict[str, Control]:
    """What is said of memories that do not say it themselves."""
    with box("more-fields", "details"):
        say("Whose they are, and of which type", tag="summary")
        with box("memory-fields"):
            return {
                "scope": Control(Kind.SELECT, "Scope", "", options=_SCOPES),
                "scope_id": Control(Kind.TEXT, "Owner", "", hint="The id of the user, project, …"),
                "type": Control(Kind.SELECT, "Type", "", options=_TYPES),
                "tags": Control(Kind.AREA, "Tags", "", rows=2, hint="One on each line"),
            }


def show_report(report: ImportReport) -> None:
    """How many lines ended how, as what they were read, and which were left out and why."""
    told = ", ".join(f"{count:,} {name}" for name, count in report.counts.items() if count)
    if told:
        notice(told, "warn" if report.rejected else "good", "Taken in")
    elif report.rejected:
        notice("No line of the file could be taken.", "bad", "Nothing was taken in")
    else:
        notice("The file has no lines.", "warn", "Nothing was taken in")
    if told or report.rejected:
        say(f"Read as: {_FORMATS[report.format]}.", "quiet", "p")
    if report.rejected:
        _show_rejected(report)


def _show_rejected(report: ImportReport) -> None:
    left_out = report.rejected_count
    say("1 line was left out:" if left_out == 1 else f"{left_out:,} lines were left out:", tag="p")
    with table("Lines that were left out", ("Line", "Why")):
        for each in report.rejected[:_MOST_REJECTED]:
            with box(tag="tr"):
                say(f"{each.line:,}", tag="th", scope="row")
                say(each.reason, "breaking", "td")
    if left_out > _MOST_REJECTED:
        say(f"… and {left_out - _MOST_REJECTED:,} more.", "quiet", "p")


async def _largest(visit: Visit) -> int:
    """How many bytes the server takes at once; as usual, where the visitor may not know."""
    if not visit.status.server_wide:
        return ServerSettings().max_body_kb * _KILOBYTE
    report = await ask(visit.server.settings)
    return int(report.tables[Table.SERVER]["max_body_kb"].value) * _KILOBYTE


def _size(count: int) -> str:
    kilobytes = count / _KILOBYTE
    if kilobytes >= _KILOBYTE:
        return f"{kilobytes / _KILOBYTE:,.0f} MB"
    return f"{max(kilobytes, 1):,.0f} KB"
