"""`RemoteTacit`'s calls about grounded prompts and documents."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tacit.api.client.connection import Connection, RemotePart
from tacit.api.client.conversations import (
    TURN_SECONDS,
    TURN_TRIES,
    read_was_open,
)
from tacit.api.client.endpoints import endpoint
from tacit.api.protocols.grounding import DocumentsProtocol, GroundingProtocol
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, check_choice
from tacit.core.messages import said_by_user, text_of_reply
from tacit.core.receipt import Receipt
from tacit.grounding.documents.results import (
    DocumentExcerpt,
    DocumentFolder,
    DocumentSearch,
    IndexReport,
)
from tacit.grounding.grounded import GroundedPrompt, Grounding, GroundingMetrics
from tacit.grounding.policy import PromptRole
from tacit.runtime.clock import new_id, system_clock
from tacit.turn.commit import CommitResult, report_unopened

_DOCUMENTS = "/v1/documents"


class RemoteDocuments(RemotePart, DocumentsProtocol):
    """The document calls, for folders on the server's disk."""

    index = endpoint(DocumentsProtocol.index, "POST /v1/documents/index")
    search = endpoint(DocumentsProtocol.search, "GET /v1/documents/search")
    status = endpoint(DocumentsProtocol.status, "GET /v1/documents")

    def add(self, path: Path | str, exclude: Iterable[str] = ()) -> DocumentFolder:
        if isinstance(exclude, str):
            raise InvalidInput("exclude", "expected a list of patterns, not a single one")
        asked = {"path": str(path), "exclude": list(exclude)}
        return self._connection.write(_DOCUMENTS, asked, read=DocumentFolder.from_dict)

    def remove(self, path: Path | str) -> IndexReport:
        return self._connection.change(
            "DELETE", _DOCUMENTS, IndexReport.from_dict, folder=str(path)
        )

    def excerpts(self, text: str, limit: int, max_bytes: int) -> tuple[DocumentExcerpt, ...]:
        asked = {"text": text, "limit": limit, "max_bytes": max_bytes}
        found = self._connection.get(f"{_DOCUMENTS}/search", DocumentSearch.from_dict, **asked)
        return found.hits


# Grounding


_log = logging.getLogger("tacit.grounding")

_GROUND_ARGUMENTS = (
    "context",
    "connector",
    "external_id",
    "hint",
    "session",
    "agent",
    "user",
    "project",
    "org",
    "by",
)


class RemoteGrounding(RemotePart, GroundingProtocol):
    """Prompts that are grounded in memory, conversation and documents."""

    policy = endpoint(GroundingProtocol.policy, "GET /v1/policy")
    log_chat = endpoint(GroundingProtocol.log_chat, "POST /v1/chat")

    def ground(
        self,
        text: Any,
        *,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
        role: PromptRole | str = PromptRole.PUBLIC,
        hint: str = "",
        session: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        by: Actor | str | None = None,
        **settings: Any,
    ) -> Grounding:
        place = {"context": context, "connector": connector, "external_id": external_id}
        who = {"session": session, "agent": agent, "user": user, "project": project, "org": org}
        named: dict[str, Any] = {"role": role, "hint": hint, "by": by, **place, **who}
        return self._ask("/v1/ground", text, **named, **settings)

    def prompt(self, text: Any, **asked: Any) -> Grounding:
        return self._ask("/v1/prompt", text, **asked)

    def end(
        self,
        turn: str,
        reply: Any = "",
        *,
        learn: bool = True,
        begun: Mapping[str, Any] | None = None,
    ) -> CommitResult:
        id = check_field("id", turn, "turn")
        said = text_of_reply(reply)
        again = None if begun is None else _to_body(**begun)
        return _commit(self._connection, id, {"reply": said, "learn": learn, "begun": again})

    def _ask(
        self,
        path: str,
        text: Any,
        *,
        role: PromptRole | str = PromptRole.PUBLIC,
        **asked: Any,
    ) -> Grounding:
        """Ask the server, or give the text alone if it cannot be reached."""
        body = _to_body(text, role=role, **asked)

        def read(answer: Any) -> Grounding:
            receipt = Receipt.from_dict(answer["receipt"])
            is_open, is_stored = bool(answer["is_open"]), bool(answer["is_stored"])
            begun = None if is_stored else body
            return Grounding(
                GroundedPrompt.from_dict(answer),
                receipt,
                _RemoteGroundingCommitter(self._connection, receipt.id, begun),
                leaves_trace=is_open,
                is_stored=is_stored,
            )

        try:
            return self._connection.write(
                path, body, read=read, at_most=TURN_SECONDS, tries=TURN_TRIES
            )
        except InvalidInput:
            raise
        except TacitError as error:
            _log.warning("grounding degraded: server: %s", error)
            return _ground_without_server(body, str(error))


def _to_body(
    text: Any, *, role: PromptRole | str = PromptRole.PUBLIC, **asked: Any
) -> dict[str, Any]:
    """The request for a grounded prompt; unknown arguments are settings."""
    said = said_by_user(text)
    named = {name: asked.pop(name) for name in _GROUND_ARGUMENTS if name in asked}
    whose = str(check_choice("role", PromptRole, role))
    return {"text": said, **named, "role": whose, "settings": asked, "receipt": "whole"}


def _commit(
    connection: Connection, id: str, body: Mapping[str, Any], **limits: Any
) -> CommitResult:
    path = f"/v1/ground/{id}/commit"
    return connection.write(path, body, read=CommitResult.from_dict, **limits)


class _RemoteGroundingCommitter:
    """Commits or rolls back a grounded prompt at a server.

    `begun` is sent along if the server could not store the turn when it began.
    """

    def __init__(
        self, connection: Connection, id: str, begun: Mapping[str, Any] | None = None
    ) -> None:
        self._connection = connection
        self._id = id
        self._begun = begun

    def commit(self, reply: str) -> CommitResult:
        """Commit the turn and log the exchange."""
        body = {"reply": reply, "begun": self._begun}
        return _commit(self._connection, self._id, body, at_most=TURN_SECONDS, tries=TURN_TRIES)

    def roll_back(self) -> None:
        """Roll the turn back."""
        path = f"/v1/turns/{self._id}/rollback"
        self._connection.write(path, read=read_was_open, at_most=TURN_SECONDS, tries=TURN_TRIES)


def _ground_without_server(asked: Mapping[str, Any], why: str) -> Grounding:
    """The message alone, without grounding."""
    text = asked["text"]
    problem = f"server: failed ({why})"
    receipt = Receipt(
        id=new_id(),
        session=asked.get("session") or "",
        turn=0,
        at=system_clock(),
        degraded=(problem,),
    )
    metrics = GroundingMetrics(strategy="none", reason="no server")
    grounded = GroundedPrompt(system="", user=text, text=text, metrics=metrics, degraded=(problem,))
    return Grounding(grounded, receipt, _NoCommitter(receipt), leaves_trace=False)


class _NoCommitter:
    """Commits nothing: the turn never began."""

    def __init__(self, receipt: Receipt) -> None:
        self._receipt = receipt

    def commit(self, reply: str) -> CommitResult:  # noqa: ARG002 (as every ending)
        """Nothing is recorded."""
        return report_unopened(self._receipt)

    def roll_back(self) -> None:
        """Nothing to roll back."""
