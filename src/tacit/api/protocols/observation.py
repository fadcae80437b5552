"""Calls on a whole workspace: counts, events, archives, upkeep, learning."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, Unpack

from tacit.core.activity import Activity
from tacit.core.events import Event, EventPage
from tacit.core.kinds import Actor
from tacit.language.extraction.findings import Extraction
from tacit.store.stats import Stats
from tacit.writing.archive.files import ArchiveFile, Format, ImportReport
from tacit.writing.draft import DraftFields
from tacit.writing.learning.lesson import Learned
from tacit.writing.upkeep.report import UpkeepReport

if TYPE_CHECKING:
    from tacit.api.base import BaseTacit


class WorkspaceProtocol(Protocol):
    """The tenant that every call reads and writes: its name, counts, activity and events."""

    @property
    def name(self) -> str:
        """The name of the workspace."""
        raise NotImplementedError

    def names(self) -> Sequence[str]:
        """The names of all workspaces that were ever written to."""

    def open(self, name: str) -> "BaseTacit":
        """Another workspace of the same store, with the same connections, model and settings.

        It costs next to nothing and need not be closed; it ends with the one it came from.
        """
        raise NotImplementedError

    def stats(self, *, agent: str | None = None, user: str | None = None) -> Stats:
        """Count what the workspace holds, and describe its store.

        For an `agent` and a `user`, the memories and reviews that they may see are counted, and
        nothing else.
        """

    def activity(
        self,
        *,
        turns: int = 500,
        days: int = 30,
        agent: str | None = None,
        user: str | None = None,
    ) -> Activity:
        """What the last turns did, and how many memories were created in the last days.

        Memories that the `agent` or the `user` may not see are neither named nor counted.
        """

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """Events of the workspace after a number, from any program, oldest first."""


class EventStreamProtocol(Protocol):
    """Events as they happen; only a server offers them."""

    def watch(self, after: int | None = None) -> Iterator[Event]:
        """Events from now on, or after a known event, as they happen; never ends.

        Where the server goes away, it is waited for, and no event is left out or comes twice.
        """


class ArchiveProtocol(Protocol):
    """Export and import of a whole workspace."""

    def export_to(
        self, target: ArchiveFile, *, embeddings: bool = False, owner: str | None = None
    ) -> int:
        """Export everything as JSON Lines to a path or a binary file; returns the line count.

        With an `owner` such as `user:ann` what belongs to them: their memories, what was said by
        them, their items, and what stands beside these alone.
        """

    def import_from(
        self,
        source: ArchiveFile,
        *,
        format: Format | str = Format.AUTO,
        by: Actor | str = Actor.IMPORT,
        name: str | None = None,
        accept_rules: bool = False,
        progress: Callable[[int], None] = lambda _: None,
        **defaults: Unpack[DraftFields],
    ) -> ImportReport:
        """Import a path or a binary file: lines, JSON, Markdown, other programs' files.

        Known memories are recognised, so an interrupted import can be repeated. `name` is the name
        of the file, if the source has none; `defaults` are fields for lines that do not set them;
        `progress` receives the number of bytes done. In the library `only_for` limits the import to
        statements of one agent or user, and without `org_rules` it brings in no rules for a whole
        organisation; at a server the key does.

        Constraints, preferences, identity and pins that would be trusted come in unverified, each
        with a review, unless `accept_rules` says that they are yours.
        """


class UpkeepProtocol(Protocol):
    """Upkeep of all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        """Forget faded memories, merge duplicates, link related ones; reports what and why.

        One pass looks at no more than `limit` memories (default: the settings'), and the next one
        continues after them. A dry run changes nothing.
        """


class LearningProtocol(Protocol):
    """Learning from committed turns."""

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Learn now from the queued turns; reports what became of each statement.

        It returns when all that was written or said is compared with what is like it. This happens
        automatically soon after every turn; a model reads the turns that are due. An `agent` and a
        `user` see only statements in memories that they may see.
        """

    def extract(self, text: str, *, with_model: bool = False) -> Extraction:
        """What the rules would learn from a message, and what they refuse; nothing is learned.

        `clauses` says of each clause what was taken from it, why it was refused, or that it states
        nothing. Only the start of a long message is read, as in a turn. `with_model` also asks the
        language model of the settings, to which the message is sent without its secrets: `model`
        says what it would add. Its tokens count among those of the day.
        """
