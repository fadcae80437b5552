"""Calls about grounded prompts and documents."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tacit.core.kinds import Actor
from tacit.grounding.chat_log import EntryKind
from tacit.grounding.documents.results import (
    DocumentExcerpt,
    DocumentFolder,
    DocumentSearch,
    DocumentStatus,
    IndexReport,
)
from tacit.grounding.grounded import Grounding
from tacit.grounding.policy import Policy, PromptRole
from tacit.turn.commit import CommitResult


class DocumentsProtocol(Protocol):
    """The documents of a workspace: folders of files that are indexed and searched."""

    def add(self, path: Path | str, exclude: Iterable[str] = ()) -> DocumentFolder:
        """Add a folder; `exclude` are patterns of files to leave out.

        Adding it again replaces the patterns. Its files are searched once `index` has read them.
        """

    def remove(self, path: Path | str) -> IndexReport:
        """Remove a folder from the search; its files stay as they are."""

    def index(self) -> IndexReport:
        """Index new and changed files of the folders; an interrupted run is resumed next time."""

    def search(self, text: str, limit: int = 3) -> DocumentSearch:
        """The best passage of each of the documents most relevant to a text."""

    def excerpts(self, text: str, limit: int, max_bytes: int) -> tuple[DocumentExcerpt, ...]:
        """The passages of `search`, each at most `max_bytes` long."""

    def status(self) -> DocumentStatus:
        """The folders, the number of files and chunks, and unread files."""


class GroundingProtocol(Protocol):
    """Prompts that are grounded in memory, conversation and documents."""

    def ground(
        self,
        /,
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
        """Build one system and one user message for the response, within their budgets.

        `text` is what the user says: a text, a message of any shape, or a list of those that
        arrived together, of which the texts are taken.

        The conversation is named by its `context`, or else by the `connector` it comes through and
        its `external_id` there. `role` says whose policy binds, `hint` how to respond, `by` whose
        words the message is. `settings` are those of `InjectionSettings`, for the memories of this
        turn.
        """

    def prompt(self, /, text: Any, **asked: Any) -> Grounding:
        """The same as `ground`, for callers that send `text`: one string in sections."""

    def policy(
        self,
        *,
        role: PromptRole | str = PromptRole.PUBLIC,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
    ) -> Policy:
        """The system side of a prompt; every line names its layer and file."""

    def log_chat(
        self,
        kind: EntryKind | str,
        text: str,
        *,
        context: str | None = None,
        connector: str = "local",
        external_id: str = "",
    ) -> None:
        """Add an entry to the chat log of a conversation.

        `ground` logs the message and the reply automatically when it is committed.
        """

    def end(
        self,
        turn: str,
        reply: Any = "",
        *,
        learn: bool = True,
        begun: Mapping[str, Any] | None = None,
    ) -> CommitResult:
        """Commit a grounded prompt, begun by any process, and log the exchange.

        The turn knows the message and its conversation. A repeated call changes nothing. `begun`
        are the arguments that `ground` had, `text` included: from them the commit stores a turn
        whose beginning could not store it in time (`is_stored`). Of a known turn they are not read.
        """
