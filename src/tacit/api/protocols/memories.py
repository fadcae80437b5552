"""Calls about memories: write, search, erase, assign, relate and review them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Unpack

from tacit.core.changes import AuditEntry, Change, Review, ReviewReport
from tacit.core.kinds import Actor, MemoryType, Relation, Scope, Sort
from tacit.core.memory import Association, BaseFilters, Filters, Graph, Memory
from tacit.core.open_turn import UnreadTurn
from tacit.core.profile import Profile
from tacit.search.modes import Mode
from tacit.search.results import SearchResult
from tacit.statements.conflict_list import Conflict
from tacit.writing.assignment import Assignment
from tacit.writing.draft import DraftFields, Written
from tacit.writing.erasure import Erasure, Sweep


class MemoriesProtocol(Protocol):
    """Write, read, search, erase, assign and link memories, one by one or many at once."""

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        """Store a memory; duplicates are detected.

        `user`, `project`, `session` or `org` says whose it is.
        """

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        """Store many statements in one transaction: all or none."""

    def get(self, id: str) -> Memory:
        """One memory; forgotten memories are not found."""

    def get_all(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by their ids, in that order; unknown ids are left out."""

    def list(
        self,
        *,
        sort: Sort | str = Sort.RECENT,
        limit: int = 50,
        after: str | None = None,
        **filters: Unpack[Filters],
    ) -> list[Memory]:
        """A page of memories; `after` is the id of the last memory of the previous page.

        `state=None` lists every state; `agent` and `user` list what those may see, `project` leaves
        out what belongs to other projects.
        """

    def count(self, **filters: Unpack[Filters]) -> int:
        """The number of memories that `list` returns with these filters, on all pages."""

    def edit(self, /, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        """Change the named fields; None clears an optional field."""

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Hide a memory from all reads; `restore` brings it back."""

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Restore a forgotten memory, or one that was replaced, beside what replaced it."""

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Forget many memories in one transaction: all or none."""

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Restore many memories in one transaction: all or none.

        The oldest comes first, so that of several values of a key the newest is current.
        """

    def history(self, id: str, *, limit: int = 100) -> Sequence[AuditEntry]:
        """The last changes of a memory, oldest first, also of forgotten and erased ones.

        At most `limit` of them.
        """

    def search(
        self,
        /,
        text: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        session: str | None = None,
        min_confidence: float = 0.0,
        episodes: bool = False,
        project: str | None = None,
        limit: int | None = None,
        **settings: Any,
    ) -> SearchResult:
        """The memories most relevant to a text, best first; at most `limit` of them.

        With `episodes` also what the `user` said about it, in the `project` and in none, or in the
        `session`, or the one that `scope` and `scope_id` name.

        `agent` and `user` are those who may see them. Inside a `session` its own memories are seen
        too, and those of no other session. `project` leaves out the memories of other projects.
        `settings` are those of `SearchSettings`, such as `max_results`. The modes `recent`,
        `important` and `typed` list by time, by importance and by type instead.
        """

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        """Erase a memory or an episode, and all traces of its words; reports what is left.

        With a memory goes what it was learned from, with an episode what was learned from it. A
        call that was interrupted is finished by calling it again.
        """

    def erase_owner(
        self, owner: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase all memories, episodes and items of an owner, in every state, and their turns.

        An owner is `user:ann`, `project:shop` and so on; `user` is who has no name, as in a
        personal store. For a user this includes the sessions in which no other named user spoke,
        for a session the session itself.
        """

    def erase_session(
        self, session: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase a session with everything said in it: memories, episodes, turns, chat logs.

        With it go the items whose namespace names it behind `threads` or `sessions`.
        """

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` returns with these filters, in every state.

        `state` limits that to one state; at least one filter is needed, and `agent` is not allowed.
        Episodes and items that match go too, unless a filter is given that only memories have.
        """

    def assign(
        self,
        user: str,
        *,
        ids: Iterable[str] | None = None,
        from_user: str = "",
        limit: int | None = None,
        after: str | None = None,
        dry_run: bool = False,
        by: Actor | str = Actor.USER,
        progress: Callable[[int, int], None] = lambda *_: None,
        **filters: Unpack[BaseFilters],
    ) -> Assignment:
        """Assign memories of the scope `user` to a user: those named, or all without a user.

        `from_user` selects the memories of another user instead, and the filters of `list` narrow
        that; all states are included unless one is named. An interrupted call can be repeated.
        `limit` stops after that many memories, and `after` continues from there. `progress`
        receives how many are done, and the total, or 0 if that is unknown.
        """

    def link(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        weight: float = 0.5,
        by: Actor | str = Actor.USER,
    ) -> Association:
        """Link two memories; a repeated call changes the weight."""

    def unlink(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        by: Actor | str = Actor.USER,
    ) -> None:
        """Remove a link."""

    def links(
        self, id: str, *, limit: int = 100, agent: str | None = None, user: str | None = None
    ) -> Sequence[Association]:
        """The links of a memory, in both directions; at most `limit`, those of most weight.

        `agent` and `user` leave out those to memories that they may not see.
        """

    def graph(
        self,
        id: str,
        *,
        depth: int = 1,
        limit: int = 100,
        agent: str | None = None,
        user: str | None = None,
    ) -> Graph:
        """The memories at most `depth` links away from one, nearest first.

        `agent` and `user` leave out what those may not see.
        """


class ProfileProtocol(Protocol):
    """What is known of a person."""

    def profile(
        self, *, user: str | None = None, agent: str | None = None, limit: int = 10
    ) -> Profile:
        """What is known of a user, by kind: identity, rules, preferences, facts and open todos.

        `text` is all of it for a system prompt, a line each with its source and day. At most
        `limit` memories of each kind, the most important first; those that an `agent` may see.
        """


class ConflictsProtocol(Protocol):
    """Memories that contradict each other: list and resolve them."""

    def list(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Conflict]:
        """Live memories that contradict each other and can be seen together.

        `after` is the id of the last conflict of the page before; `agent` and `user` leave out what
        those may not see. A page also ends once it has 1,000 memories in it.
        """

    def resolve(
        self,
        *,
        keep: str | None = None,
        supersede: Iterable[str] = (),
        keep_both: Iterable[str] = (),
        reason: str = "",
        by: Actor | str = Actor.USER,
    ) -> Sequence[Written]:
        """Resolve a conflict: `keep` supersedes the others, or all of `keep_both` are right.

        What became of each memory but `keep`; what only a person may decide becomes a review.
        """


class ChangesProtocol(Protocol):
    """What memory did by itself: see it, and undo it."""

    def list(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Change]:
        """What was replaced, merged, hidden or expired without a person, newest first.

        `after` is the id of the last change of the page before; `agent` and `user` leave out what
        is about memories that they may not see.
        """

    def undo(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Undo one of these changes: the memory holds again, beside what replaced it.

        It is not done again. What a person's words did only a person undoes; the wish of others
        becomes a review.
        """


class ReviewsProtocol(Protocol):
    """Changes that wait for a person: list, accept and reject them."""

    def list(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Review]:
        """Changes that wait for a person, oldest first.

        `agent` and `user` leave out what is about memories that they may not see.
        """

    def get(self, id: str, *, agent: str | None = None, user: str | None = None) -> ReviewReport:
        """One pending change, with the memory as it is and as it would become.

        For an `agent` and a `user`, what is about memories that they may not see is not there.
        """

    def accept(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Written:
        """Carry out a pending change in the name of the person who accepts it."""

    def reject(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Review:
        """Reject a pending change; no memory changes."""

    def unread_turns(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[UnreadTurn]:
        """Turns that could not be read after three tries, oldest first; they wait for a person.

        `after` is the id of the last of the page before. An `agent` and a `user` see their own.
        """

    def retry_unread_turn(self, id: str) -> None:
        """Read a turn again that was set aside; it counts as new, and is read soon."""

    def drop_unread_turn(self, id: str) -> None:
        """Drop a turn that was set aside: nothing will be learned from it."""
