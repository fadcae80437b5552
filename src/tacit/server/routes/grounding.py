"""Grounded prompts, the policy behind them, chat logs, and documents."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query

from tacit.core.errors import InvalidInput
from tacit.grounding.documents.results import (
    DocumentFolder,
    DocumentSearch,
    DocumentStatus,
    IndexReport,
)
from tacit.grounding.grounded import Grounding as Handle
from tacit.grounding.policy import PromptRole
from tacit.server.access import Caller, Reader, ServerAdmin, WorkspaceAdmin, Writer
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute
from tacit.server.request_input import TurnId
from tacit.server.routes.turns import record_turn, report_commit
from tacit.server.schemas.common import problem_responses
from tacit.server.schemas.grounding import (
    AddFolderRequest,
    CommitGroundingRequest,
    GroundedResponse,
    GroundRequest,
    LogChatRequest,
    LoggedResponse,
    PolicyResponse,
)
from tacit.server.schemas.turns import CommitResponse, ReceiptDetail
from tacit.server.schemas.values import response_of

grounding_router = APIRouter(prefix="/v1", tags=["grounding"], route_class=IdempotentRoute)


@grounding_router.post(
    "/ground",
    status_code=201,
    response_model=GroundedResponse,
    response_model_exclude_unset=True,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def ground(body: GroundRequest, caller: Writer) -> dict[str, Any]:
    """Build a grounded prompt: one system and one user message."""
    return _ground(body, caller, caller.tacit.ground)


@grounding_router.post(
    "/prompt",
    status_code=201,
    response_model=GroundedResponse,
    response_model_exclude_unset=True,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def prompt(body: GroundRequest, caller: Writer) -> dict[str, Any]:
    """The same as one text in sections."""
    return _ground(body, caller, caller.tacit.grounding.prompt)


@grounding_router.post(
    "/ground/{turn_id}/commit",
    response_model=CommitResponse,
    responses=problem_responses(404, 409),
    dependencies=[IDEMPOTENT],
    name="commit",
)
def commit_grounding(id: TurnId, body: CommitGroundingRequest, caller: Writer) -> dict[str, Any]:
    """Commit a grounded prompt and log the exchange. A repetition changes nothing."""
    begun = None
    if body.begun is None or caller.access.has_turn(id):
        caller.access.check_turn(id)
    else:
        said = {"text": body.begun.text, **_check_beginning(body.begun, caller)}
        begun = {**body.begun.settings, **said}
    ended = caller.tacit.grounding.end(id, body.reply, learn=body.learn, begun=begun)
    return report_commit(caller, id, ended)


@grounding_router.post(
    "/chat",
    status_code=201,
    response_model=LoggedResponse,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="log",
)
def log_chat(body: LogChatRequest, caller: Writer) -> dict[str, Any]:
    """Add an entry to the chat log of a conversation."""
    caller.access.claim_context(body.place())
    caller.tacit.grounding.log_chat(body.kind, body.text, **body.place())
    return {"logged": True}


@grounding_router.get(
    "/policy", response_model=PolicyResponse, responses=problem_responses(), name="policy"
)
def get_policy(
    caller: WorkspaceAdmin,
    role: PromptRole = PromptRole.PUBLIC,
    context: Annotated[str | None, Query(examples=["launch"])] = None,
    connector: Annotated[str, Query(examples=["slack"])] = "local",
    external_id: Annotated[str, Query(examples=["C024BE91L"])] = "",
) -> dict[str, Any]:
    """The system side of a prompt; every line names its layer and file."""
    place: dict[str, Any] = {
        "context": context,
        "connector": connector,
        "external_id": external_id,
    }
    caller.access.check_context(place)
    return caller.tacit.grounding.policy(role=role, **place).to_dict()


def _check_beginning(body: GroundRequest, caller: Caller) -> dict[str, Any]:
    """The arguments of a prompt that the caller may ground; its names become the caller's."""
    if body.role is PromptRole.ADMIN:
        caller.check_admin("the policy of admins is for a key with the role admin")
    viewer = caller.viewer_arguments(body.agent, body.user)
    caller.access.claim_context(body.place(), **viewer)
    if body.session is not None:
        caller.access.claim(body.session, **viewer)
    return {**body.to_arguments(), **viewer, "by": caller.speaker(body.by)}


def _ground(body: GroundRequest, caller: Caller, call: Callable[..., Handle]) -> dict[str, Any]:
    handle = call(body.text, **_check_beginning(body, caller), **body.settings)
    receipt = caller.visible_receipt(handle.receipt)
    record_turn(caller, handle.receipt)
    is_whole = body.receipt is ReceiptDetail.WHOLE
    return {
        **handle.to_dict(),
        "is_open": handle.is_open,
        "is_stored": handle.is_stored,
        "receipt": receipt.to_dict() if is_whole else receipt.summary(),
    }


# Documents


documents_router = APIRouter(
    prefix="/v1/documents", tags=["documents"], route_class=IdempotentRoute
)

_MOST_HITS = 50
_MOST_BYTES = 50_000


@documents_router.get(
    "", response_model=response_of(DocumentStatus), responses=problem_responses(), name="status"
)
def document_status(caller: Reader) -> dict[str, Any]:
    """The folders and index counts; paths are shown to server-wide keys only."""
    return _status_without_paths(caller, caller.tacit.documents.status()).to_dict()


@documents_router.post(
    "",
    status_code=201,
    response_model=response_of(DocumentFolder),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="add",
)
def add_folder(body: AddFolderRequest, caller: ServerAdmin) -> dict[str, Any]:
    """Add a folder of the server's disk; `index` reads it."""
    if not Path(body.path).is_absolute():
        raise InvalidInput("path", "write the whole path of a folder on the server: /srv/handbook")
    return caller.tacit.documents.add(body.path, body.exclude).to_dict()


@documents_router.delete(
    "", response_model=response_of(IndexReport), responses=problem_responses(404), name="remove"
)
def remove_folder(
    folder: Annotated[str, Query(description="As it was added.", examples=["/srv/handbook"])],
    caller: ServerAdmin,
) -> dict[str, Any]:
    """Remove a folder from the search; its files stay as they are."""
    return caller.tacit.documents.remove(folder).to_dict()


@documents_router.post(
    "/index",
    response_model=response_of(IndexReport),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
    name="index",
)
def index_documents(caller: WorkspaceAdmin) -> dict[str, Any]:
    """Index new and changed files now; changes are also noticed automatically."""
    report = caller.tacit.documents.index()
    caller.service.jobs.run("vectors")
    if not caller.is_server_wide:
        report = replace(report, unread=())
    return report.to_dict()


@documents_router.get(
    "/search",
    response_model=response_of(DocumentSearch),
    responses=problem_responses(),
    name="search",
)
def search_documents(
    text: Annotated[str, Query(description="What is asked.", examples=["cache timeout"])],
    caller: Reader,
    limit: Annotated[
        int, Query(ge=1, le=_MOST_HITS, description="How many documents at most.")
    ] = 3,
    max_bytes: Annotated[
        int | None, Query(ge=1, le=_MOST_BYTES, description="Of each passage; else as set.")
    ] = None,
) -> dict[str, Any]:
    """The best passage of each of the documents most relevant to a text."""
    documents = caller.tacit.documents
    if max_bytes is None:
        return _without_paths(caller, documents.search(text, limit)).to_dict()
    found = DocumentSearch(hits=documents.excerpts(text, limit, max_bytes))
    return _without_paths(caller, found).to_dict()


def _without_paths(caller: Caller, found: DocumentSearch) -> DocumentSearch:
    """The result without paths, for keys of one workspace."""
    if caller.is_server_wide:
        return found
    return replace(found, hits=tuple(replace(hit, path="") for hit in found.hits))


def _status_without_paths(caller: Caller, status: DocumentStatus) -> DocumentStatus:
    if caller.is_server_wide:
        return status
    folders = tuple(replace(each, path="") for each in status.folders)
    return replace(status, folders=folders, unread=())
