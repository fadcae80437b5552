"""Import of a file into a workspace, and the download with all its memories."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from nicegui import ui
from nicegui.events import UploadEventArguments

from tacit.core.errors import NotAllowed, TacitError, Unanswered
from tacit.core.kinds import MemoryType, Scope
from tacit.settings.config import SettingsTable
from tacit.settings.server import ServerSettings
from tacit.ui.api_calls import call_api, error_message, show_error
from tacit.ui.browser_sessions import BrowserSessions
from tacit.ui.kit.buttons import ButtonStyle, button, dialog
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import notice, table
from tacit.ui.kit.elements import add_text, box
from tacit.ui.navigation import MEMORIES
from tacit.ui.page import load_context
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.view_model import parse_field
from tacit.writing.archive.files import Format, ImportReport

_MAX_REJECTED = 100
_KILOBYTE = 1024
_FORMATS = {
    Format.AUTO: "Recognise it",
    Format.LINES: "A memory on each line",
    Format.JSONL: "JSON Lines",
    Format.JSON: "JSON array",
    Format.MARKDOWN: "Markdown",
    Format.MEM0: "mem0",
    Format.CHATGPT: "ChatGPT memories or conversations",
    Format.CLAUDE: "Claude memory or CLAUDE.md",
}
_AS_USUAL = {"": "As usual"}
_TYPES = _AS_USUAL | {str(each): str(each).capitalize() for each in MemoryType}
_SCOPES = _AS_USUAL | {str(each): str(each).capitalize() for each in Scope}
_ABOUT = (
    "An export of Tacit or of mem0, Markdown, a memory file of Claude, memories or conversations"
    " of ChatGPT, or plain text with a memory on each line. What is known already is recognised,"
    " and rules that the file calls trusted wait for your review."
)
_AGAIN = "It may still be at work; import the file again later, what is known is recognised."


async def open_import_dialog(context: PageContext, after: Callable[[], Awaitable[Any]]) -> None:
    """Open the dialog that imports a file and shows the result."""
    _ImportDialog(context, after, await _load_max_bytes(context)).open()


class _ImportDialog:
    """The dialog; it imports one file at a time."""

    def __init__(
        self, context: PageContext, after: Callable[[], Awaitable[Any]], max_bytes: int
    ) -> None:
        self._context = context
        self._after = after
        self._max_bytes = max_bytes
        self._dialog, inside = dialog("Import memories")
        with inside:
            add_text(_ABOUT, tag="p")
            add_text(
                f"Up to {_size_text(max_bytes)}; the server's setting max_body_kb says so.",
                "quiet",
                "p",
            )
            self._format = Control(ControlKind.SELECT, "Format", Format.AUTO, options=_FORMATS)
            self._defaults = _build_default_fields()
            self._outcome = box("stack", aria_live="polite")
            self._picker = self._make_picker()
            with box("actions"):
                button("Close", self._close)
                self._choose = self._make_button()

    def open(self) -> None:
        """Open the dialog."""
        self._dialog.open()

    async def _close(self) -> None:
        self._dialog.close()

    def _make_picker(self) -> ui.upload:
        """The browser's own file picker, hidden behind our button."""
        picker = ui.upload(
            auto_upload=True,
            max_file_size=self._max_bytes,
            on_upload=self._handle_upload,
            on_rejected=self._refuse_size,
        ).classes("unseen")
        picker.props["tabindex"] = "-1"
        picker.props["aria-hidden"] = "true"
        return picker

    def _make_button(self) -> Any:
        choose = add_text("Choose a file", f"button {ButtonStyle.PRIMARY}", "button", type="button")
        choose.on("click", js_handler=f"() => runMethod({self._picker.id}, 'pickFiles', [])")
        return choose

    async def _handle_upload(self, event: UploadEventArguments) -> None:
        size = event.file.size()
        if size > self._max_bytes:
            self._refuse_size()
            return
        self._set_busy(True)
        self._show_notice(f"Reading {event.file.name}, {_size_text(size)} …", "neutral")
        try:
            report = await self._import_file(event)
        except Unanswered as error:
            self._show_notice(f"{error_message(error)}. {_AGAIN}", "bad")
            return
        except Exception as error:
            self._show_notice(error_message(error), "bad")
            return
        finally:
            self._picker.reset()
            self._set_busy(False)
        self._outcome.clear()
        with self._outcome:
            show_import_report(report)
            try:
                await self._after()
            except Exception as error:
                show_error(error)

    async def _import_file(self, event: UploadEventArguments) -> ImportReport:
        values = {name: control.value for name, control in self._defaults.items()}
        fields = {name: parse_field(name, value) for name, value in values.items() if value}
        return await call_api(
            self._context.long_timeout_tacit.archive.import_from,
            BytesIO(await event.file.read()),
            format=self._format.value,
            name=event.file.name,
            **fields,
        )

    def _set_busy(self, is_busy: bool) -> None:
        """Disable the button and keep the dialog open while a file is imported."""
        self._dialog.props.set_bool("persistent", is_busy)
        self._choose.props.set_bool("disabled", is_busy)

    def _refuse_size(self) -> None:
        limit = f"the server takes {_size_text(self._max_bytes)} at once"
        self._show_notice(f"Not taken: {limit}. Split the file, or raise max_body_kb.", "bad")
        self._picker.reset()

    def _show_notice(self, text: str, tone: str) -> None:
        self._outcome.clear()
        with self._outcome:
            notice(text, tone)


def _build_default_fields() -> dict[str, Control]:
    """Fields for memories that do not name their own values."""
    with box("more-fields", "details"):
        add_text("Whose they are, and of which type", tag="summary")
        with box("memory-fields"):
            return {
                "scope": Control(ControlKind.SELECT, "Scope", "", options=_SCOPES),
                "scope_id": Control(
                    ControlKind.TEXT, "Owner", "", hint="The id of the user, project, …"
                ),
                "type": Control(ControlKind.SELECT, "Type", "", options=_TYPES),
                "tags": Control(ControlKind.AREA, "Tags", "", rows=2, hint="One on each line"),
            }


def show_import_report(report: ImportReport) -> None:
    """Show how many lines were imported, the format, and which were rejected."""
    counts = ", ".join(f"{count:,} {name}" for name, count in report.counts.items() if count)
    if counts:
        notice(counts, "warn" if report.rejected else "good", "Taken in")
    elif report.rejected:
        notice("No line of the file could be taken.", "bad", "Nothing was taken in")
    else:
        notice("The file has no lines.", "warn", "Nothing was taken in")
    if counts or report.rejected:
        add_text(f"Read as: {_FORMATS[report.format]}.", "quiet", "p")
    if report.rejected:
        _show_rejected(report)


def _show_rejected(report: ImportReport) -> None:
    left_out = report.rejected_count
    add_text(
        "1 line was left out:" if left_out == 1 else f"{left_out:,} lines were left out:", tag="p"
    )
    with table("Lines that were left out", ("Line", "Why")):
        for each in report.rejected[:_MAX_REJECTED]:
            with box(tag="tr"):
                add_text(f"{each.line:,}", tag="th", scope="row")
                add_text(each.reason, "breaking", "td")
    if left_out > _MAX_REJECTED:
        add_text(f"… and {left_out - _MAX_REJECTED:,} more.", "quiet", "p")


async def _load_max_bytes(context: PageContext) -> int:
    """The largest file that the server accepts; the default if the viewer may not read it."""
    if not context.status.server_wide:
        return ServerSettings().max_body_kb * _KILOBYTE
    report = await call_api(context.tacit.settings.show)
    return int(report.tables[SettingsTable.SERVER]["max_body_kb"].value) * _KILOBYTE


def _size_text(count: int) -> str:
    kilobytes = count / _KILOBYTE
    if kilobytes >= _KILOBYTE:
        return f"{kilobytes / _KILOBYTE:,.0f} MB"
    return f"{max(kilobytes, 1):,.0f} KB"


EXPORT_PATH = f"{MEMORIES.path}/export"
_JSON_LINES = "application/x-ndjson"
_CHUNK_BYTES = 65_536
_FORBIDDEN, _BAD_GATEWAY = 403, 502


async def _temporary_file() -> AsyncIterator[BinaryIO]:
    """An unnamed file that is deleted after the response."""
    with TemporaryFile() as file:
        yield file


def export_routes(browser_sessions: BrowserSessions) -> APIRouter:
    """The route of the export."""
    router = APIRouter()

    @router.get(EXPORT_PATH)
    async def export(
        request: Request, file: Annotated[BinaryIO, Depends(_temporary_file)]
    ) -> Response:
        """All memories of a workspace as JSON Lines."""
        try:
            context = await load_context(request, browser_sessions)
            await call_api(context.long_timeout_tacit.archive.export_to, file)
        except NotAllowed as error:
            return PlainTextResponse(error_message(error), _FORBIDDEN)
        except TacitError as error:
            return PlainTextResponse(error_message(error), _BAD_GATEWAY)
        file.seek(0)
        attached = {
            "Content-Disposition": f'attachment; filename="{export_file_name(context.workspace)}"'
        }
        return StreamingResponse(_read_chunks(file), media_type=_JSON_LINES, headers=attached)

    return router


def export_file_name(workspace: str) -> str:
    """The file name of an export: its workspace and the date, in safe characters."""
    spelled = re.sub(r"[^A-Za-z0-9_-]+", "-", workspace).strip("-")[:60] or "workspace"
    return f"tacit-{spelled}-{datetime.now(UTC):%Y-%m-%d}.jsonl"


def _read_chunks(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_CHUNK_BYTES):
        yield piece
