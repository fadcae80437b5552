"""Work on a whole workspace: export, import and upkeep."""

import json
from collections.abc import AsyncIterator, Iterator
from functools import partial
from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from tacit.core.errors import InvalidInput
from tacit.core.keys import Role
from tacit.core.kinds import Actor
from tacit.server.access import Reader, WorkspaceAdmin, Writer, work_slot
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute
from tacit.server.problems import NOT_ALLOWED, RequestRefused
from tacit.server.schemas.bulk import UpkeepRequest
from tacit.server.schemas.common import problem_responses
from tacit.server.schemas.values import response_of
from tacit.writing.archive.files import Format, ImportReport
from tacit.writing.draft import Status, check_fields
from tacit.writing.upkeep.report import UpkeepReport

archive_router = APIRouter(prefix="/v1/memories", tags=["archive"], route_class=IdempotentRoute)

_LINES = "application/x-ndjson"
_PIECE = 65_536
_STATUSES = frozenset(map(str, Status))
_BODY = {
    "requestBody": {
        "required": True,
        "description": "Lines of JSON or of plain text, or the file of another program.",
        "content": {
            _LINES: {"schema": {"type": "string"}, "example": '{"content": "tea at four"}'},
            "text/plain": {"schema": {"type": "string"}, "example": "tea at four"},
        },
    }
}


async def _temporary_file() -> AsyncIterator[BinaryIO]:
    """A temporary file for the time of a request."""
    with TemporaryFile() as file:
        yield file


Spool = Annotated[BinaryIO, Depends(_temporary_file)]


@archive_router.get(
    "/export",
    response_class=StreamingResponse,
    responses=problem_responses() | {200: {"content": {_LINES: {"schema": {"type": "string"}}}}},
    name="export",
)
def export_memories(
    caller: Reader,
    file: Spool,
    embeddings: Annotated[bool, Query(description="The vectors too.")] = False,
    owner: Annotated[
        str | None,
        Query(description="Only what belongs to this owner.", examples=["user:ann"]),
    ] = None,
) -> StreamingResponse:
    """Export everything as JSON Lines, with forgotten memories, audit, episodes and items."""
    if caller.bound_agent is not None:
        detail = "this is an agent's key, and other agents' own memories are in an export"
        raise RequestRefused(NOT_ALLOWED, detail)
    caller.refuse_user("other users' memories are in an export; list your own instead")
    caller.tacit.archive.export_to(file, embeddings=embeddings, owner=owner)
    file.seek(0)
    attached = {"Content-Disposition": 'attachment; filename="tacit.jsonl"'}
    return StreamingResponse(_read_pieces(file), media_type=_LINES, headers=attached)


@archive_router.post(
    "/import",
    response_model=response_of(ImportReport),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    openapi_extra=_BODY,
    name="import_lines",
)
async def import_memories(
    request: Request,
    caller: Writer,
    file: Spool,
    format: Annotated[
        Format, Query(description="Told by the name and what the file holds, if not said.")
    ] = Format.AUTO,
    name: Annotated[
        str | None,
        Query(description="What the file is called.", examples=["CLAUDE.md"]),
    ] = None,
    by: Annotated[
        Actor | None, Query(description="In whose name; as an import, if nothing is said.")
    ] = None,
    accept_rules: Annotated[
        bool,
        Query(
            description="Trust the constraints, preferences and pins of the file as they are;"
            " else those that it calls trusted come in unverified, each with a review."
        ),
    ] = False,
    defaults: Annotated[
        str | None,
        Query(
            description="For lines that say nothing themselves: fields of a memory but its"
            " content, as a JSON object.",
            examples=['{"scope": "org"}'],
        ),
    ] = None,
) -> dict[str, Any]:
    """Import lines; known memories are recognised, so an interrupted import can be repeated."""
    fields: Any = check_fields({} if defaults is None else _parse_defaults(defaults))
    caller.check_agent(fields.get("agent"))
    author = caller.actor(by or (Actor.IMPORT if caller.bound_agent is None else None))
    async for piece in request.stream():
        file.write(piece)
    file.seek(0)
    take_in = partial(
        caller.tacit.archive.import_from,
        file,
        format=format,
        name=name,
        by=author,
        accept_rules=accept_rules,
        only_for=caller.viewer,
        org_rules=caller.role.allows(Role.ADMIN),
        **fields,
    )
    async with work_slot(caller):
        report = await run_in_threadpool(take_in)
    for status, count in report.counts.items():
        if status in _STATUSES:
            caller.service.metrics.count_writes(status, count)
    caller.service.jobs.run("vectors")
    return await run_in_threadpool(report.to_dict)


def _parse_defaults(text: str) -> dict[str, Any]:
    """Parse the default fields, a JSON object."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InvalidInput("defaults", 'give a JSON object, such as {"scope": "org"}')
    return fields


def _read_pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


# Upkeep


upkeep_router = APIRouter(prefix="/v1/upkeep", tags=["upkeep"], route_class=IdempotentRoute)

_DEFAULT_UPKEEP = UpkeepRequest(dry_run=False, limit=None)


@upkeep_router.post(
    "",
    response_model=response_of(UpkeepReport),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="keep_up",
)
def run_upkeep(caller: WorkspaceAdmin, body: UpkeepRequest = _DEFAULT_UPKEEP) -> dict[str, Any]:
    """Run one pass of upkeep: forget faded memories, merge duplicates, link related ones."""
    if caller.bound_agent is not None:
        detail = "this is an agent's key, and upkeep goes over what others remember too"
        raise RequestRefused(NOT_ALLOWED, detail)
    return caller.tacit.upkeep(dry_run=body.dry_run, limit=body.limit).to_dict()
