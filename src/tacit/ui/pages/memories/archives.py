"""Everything at once: a file with all memories of a workspace, to keep."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import Annotated, BinaryIO

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from tacit.core.errors import NotAllowed, TacitError
from tacit.ui.asking import ask, words_of
from tacit.ui.page import visited
from tacit.ui.rooms import MEMORIES
from tacit.ui.visitors import Visitors

EXPORT = f"{MEMORIES.path}/export"
_LINES = "application/x-ndjson"
_PIECE = 65_536
_FORBIDDEN, _BAD_GATEWAY = 403, 502


async def _file() -> AsyncIterator[BinaryIO]:
    """A file without a name that is gone once the request is answered."""
    with TemporaryFile() as file:
        yield file


def routes(visitors: Visitors) -> APIRouter:
    """What is downloaded beside the pages."""
    router = APIRouter()

    @router.get(EXPORT)
    async def export(request: Request, file: Annotated[BinaryIO, Depends(_file)]) -> Response:
        """All memories of a workspace as JSON Lines."""
        try:
            visit = await visited(request, visitors)
            await ask(visit.patient.export_to, file)
        except NotAllowed as error:
            return PlainTextResponse(words_of(error), _FORBIDDEN)
        except TacitError as error:
            return PlainTextResponse(words_of(error), _BAD_GATEWAY)
        file.seek(0)
        attached = {"Content-Disposition": f'attachment; filename="{file_name(visit.workspace)}"'}
        return StreamingResponse(_pieces(file), media_type=_LINES, headers=attached)

    return router


def file_name(workspace: str) -> str:
    """What an export is called: by its workspace and the day, in letters that every disk takes."""
    spelled = re.sub(r"[^A-Za-z0-9_-]+", "-", workspace).strip("-")[:60] or "workspace"
    return f"tacit-{spelled}-{datetime.now(UTC):%Y-%m-%d}.jsonl"


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece
