"""Documents: folders of the server's that a workspace reads; search them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.core.errors import InvalidInput
from tacit.grounding.documents.results import DocumentSearch, DocumentStatus
from tacit.server.access import Caller, Reader, ServerAdmin, WorkspaceAdmin
from tacit.server.idempotency import ONCE, OnceRoute
from tacit.server.models.common import problems
from tacit.server.models.documents import (
    AddingFolder,
    DocumentSearchShape,
    DocumentStatusShape,
    FolderShape,
    IndexShape,
)

router = APIRouter(prefix="/v1/documents", tags=["documents"], route_class=OnceRoute)

_MOST = 50
_MOST_BYTES = 50_000


@router.get("", response_model=DocumentStatusShape, responses=problems())
def status(caller: Reader) -> dict[str, Any]:
    """The folders and how much is indexed; where they are is told for every workspace only."""
    return _seen_status(caller, caller.tacit.documents.status()).to_dict()


@router.post(
    "",
    status_code=201,
    response_model=FolderShape,
    responses=problems(409),
    dependencies=[ONCE],
)
def add(asked: AddingFolder, caller: ServerAdmin) -> dict[str, Any]:
    """Search a folder of the server's disk too; `index` reads it."""
    if not Path(asked.path).is_absolute():
        raise InvalidInput("path", "write the whole path of a folder on the server: /srv/handbook")
    return caller.tacit.documents.add(asked.path, asked.exclude).to_dict()


@router.delete("", response_model=IndexShape, responses=problems(404))
def remove(
    folder: Annotated[str, Query(description="As it was added.", examples=["/srv/handbook"])],
    caller: ServerAdmin,
) -> dict[str, Any]:
    """Search a folder no more; its files stay as they are."""
    return caller.tacit.documents.remove(folder).to_dict()


@router.post("/index", response_model=IndexShape, responses=problems(409), dependencies=[ONCE])
def index(caller: WorkspaceAdmin) -> dict[str, Any]:
    """Read what is new or changed in the folders; a change is seen soon without that."""
    report = caller.tacit.documents.index()
    caller.service.jobs.run("vectors")
    if not caller.is_for_all:
        report = replace(report, unread=())
    return report.to_dict()


@router.get("/search", response_model=DocumentSearchShape, responses=problems())
def search(
    text: Annotated[str, Query(description="What is asked.", examples=["cache timeout"])],
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=_MOST, description="How many documents at most.")] = 3,
    max_bytes: Annotated[
        int | None, Query(ge=1, le=_MOST_BYTES, description="Of each passage; else as set.")
    ] = None,
) -> dict[str, Any]:
    """The best passage of each of the documents that matter most for a text."""
    documents = caller.tacit.documents
    if max_bytes is None:
        return _seen(caller, documents.search(text, limit)).to_dict()
    found = DocumentSearch(hits=documents.excerpts(text, limit, max_bytes))
    return _seen(caller, found).to_dict()


def _seen(caller: Caller, found: DocumentSearch) -> DocumentSearch:
    """Without the places on the server's disk, for who has a key to one workspace only."""
    if caller.is_for_all:
        return found
    return replace(found, hits=tuple(replace(hit, path="") for hit in found.hits))


def _seen_status(caller: Caller, status: DocumentStatus) -> DocumentStatus:
    if caller.is_for_all:
        return status
    folders = tuple(replace(each, path="") for each in status.folders)
    return replace(status, folders=folders, unread=())
