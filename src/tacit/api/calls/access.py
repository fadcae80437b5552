"""What a caller of a server may reach."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.api.calls.changes import load_visible_change
from tacit.api.calls.observation import load_activity, read_events, read_events_within_reach
from tacit.api.calls.sessions import list_sessions, no_session, read_variables
from tacit.api.calls.turns import (
    find_turn,
    list_receipts,
    no_receipt,
    no_turn,
    roll_back_open_turn,
)
from tacit.api.visibility import hidden_from, visible_history, visible_lessons
from tacit.api.workspace import WorkspaceContext
from tacit.core.activity import Activity
from tacit.core.changes import AuditEntry
from tacit.core.errors import ChatLogUnavailable, NameTaken, NotFound
from tacit.core.events import EventPage
from tacit.core.fields import check_field
from tacit.core.memory import is_org_rule
from tacit.core.open_turn import OpenTurn
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import ListedSession, Participant
from tacit.grounding.file_layout import (
    ConversationAddress,
    find_log,
    has_files,
    to_file_name,
)
from tacit.store.episodes import has_episodes
from tacit.store.ownership import is_session_name_used
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.learning.lesson import Learned


class CallerAccess:
    """The sessions, turns, receipts and contexts of a workspace that one caller may reach."""

    def __init__(self, context: WorkspaceContext, reach: Viewer) -> None:
        self._turn_dependencies = context.turn_dependencies
        self._store = context.store
        self._workspace = context.name
        self._clock = context.clock
        self._reach = reach
        self._learning = context.learning
        self._context = context

    @property
    def reach(self) -> Viewer:
        """The agent and the user that the caller is bound to."""
        return self._reach

    def hidden_memories(self, ids: Sequence[str]) -> set[str]:
        """The ids, of those given, of memories that the caller may not see."""
        with self._store.read(self._workspace) as unit:
            return hidden_from(self._reach, unit, ids)

    def has_org_rule(self, ids: Sequence[str]) -> bool:
        """Whether some memories, in any state, are rules or pins of a whole organisation."""
        with self._store.read(self._workspace) as unit:
            known = unit.memories.get(ids).values()
        return any(is_org_rule(each.scope, each.type, pinned=each.pinned) for each in known)

    def history(self, memory: str, *, limit: int = 100) -> list[AuditEntry]:
        """The last changes of a memory that the caller may see, oldest first."""
        viewer, id, most = (
            self._reach,
            check_field("id", memory, "memory"),
            check_field("limit", limit),
        )
        with self._store.read(self._workspace) as unit:
            changes = unit.audit.of(id)
            if not changes:
                raise NotFound(f"there is no memory {id} in workspace {self._workspace!r}")
            now = unit.memories.get([id]).get(id)
            return visible_history(viewer, unit, now, changes)[-most:]

    def check_change(self, id: str) -> str:
        """Raise NotFound for a change of memories that the caller may not see."""
        if self._reach.is_bound:
            with self._store.read(self._workspace) as unit:
                load_visible_change(unit, check_field("id", id), self._reach, self._clock())
        return id

    def is_reached(self, session: str) -> bool:
        """Whether the caller may reach a session."""
        if not self._reach.is_bound:
            return True
        with self._store.read(self._workspace) as unit:
            return self._reach.sees_session(unit.participants.of(session))

    def check_session(self, session: str) -> str:
        """Raise NotFound for a session that the caller may not reach."""
        name: str = check_field("session", session)
        if not self.is_reached(name):
            raise no_session(name)
        return name

    def has_turn(self, id: str) -> bool:
        """Whether anything is known of a turn, whoever began it."""
        return find_turn(self._turn_dependencies, id) is not None

    def check_turn(self, id: str) -> str:
        """Raise NotFound for a turn that another caller began."""
        if not self._is_own_turn(check_field("id", id)):
            raise no_turn(id)
        return id

    def check_receipt(self, id: str) -> str:
        """Raise NotFound for the receipt of a session that the caller may not reach."""
        checked = check_field("id", id)
        if self._reach.is_bound:
            with self._store.read(self._workspace) as unit:
                found = unit.receipts.get(checked)
                if found is None or not self._covers(unit, found.session):
                    raise no_receipt(checked)
        return id

    def roll_back(self, turn: str) -> bool:
        """Roll back a turn of the caller; returns whether it was open."""
        return self._is_own_turn(check_field("id", turn, "turn")) and roll_back_open_turn(
            self._turn_dependencies, turn
        )

    def variables(self, session: str) -> dict[str, Any]:
        """The variables of a session; none if the caller may not reach it."""
        name = check_field("session", session)
        return read_variables(self._turn_dependencies, name) if self.is_reached(name) else {}

    def claim(self, session: str, agent: str | None = None, user: str | None = None) -> str:
        """Claim a session's name for a bound caller, unless others use it."""
        name: str = check_field("session", session)
        self._claim(_names_of_session(name), agent, user)
        return name

    def check_free(self, session: str) -> str:
        """Raise NameTaken for a session's name that others use, without claiming it."""
        name: str = check_field("session", session)
        if self._reach.is_bound:
            names = _names_of_session(name)
            with self._store.read(self._workspace) as unit:
                self._check_free(unit, names, is_used=self._has_episodes(names))
        return name

    def claim_context(
        self, asked: Mapping[str, Any], agent: str | None = None, user: str | None = None
    ) -> None:
        """Claim a conversation's name for a bound caller, unless others use it."""
        place = ConversationAddress.of(self._workspace, asked)
        names = _names_of_context(place)
        self._claim(names, agent, user, is_used=lambda: self._has_log(place))

    def check_context(self, asked: Mapping[str, Any]) -> None:
        """Raise NotFound for a conversation of others."""
        if self._reach.is_bound:
            place = ConversationAddress.of(self._workspace, asked)
            with self._store.read(self._workspace) as unit:
                known = unit.participants.of(place.key)
                is_there = bool(known) or self._is_kept(unit, place.key)
                is_there = is_there or self._has_episodes([place.key])
                if is_there and not self._reach.sees_session(known):
                    raise NotFound(f"there is no conversation {place.key!r}")

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        """The sessions that were active last, newest first."""
        return list_sessions(self._turn_dependencies, limit, after, self._reach)

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The receipts of the last turns, newest first."""
        if session is not None and not self.is_reached(check_field("session", session)):
            return ()
        return list_receipts(self._turn_dependencies, session, limit, after, self._reach)

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """Events after a number, without those about sessions and memories of others."""
        size = check_field("limit", limit)
        with self._store.read(self._workspace) as unit:
            if not self._reach.is_bound:
                return read_events(unit, after, size)
            return read_events_within_reach(unit, self._reach, after, size)

    def activity(
        self,
        *,
        turns: int = 500,
        days: int = 30,
        agent: str | None = None,
        user: str | None = None,
    ) -> Activity:
        """What the last turns did, and how many memories were created in the last days."""
        last, since, seer = (
            check_field("turns", turns),
            check_field("days", days),
            Viewer.of(agent, user),
        )
        with self._store.read(self._workspace) as unit:
            return load_activity(
                unit, turns=last, days=since, viewer=seer, now=self._clock(), reach=self._reach
            )

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Learn now from the queued turns of the caller."""
        who, learned = Viewer.of(agent, user), self._learning.learn_now(self._reach)
        with self._store.read(self._workspace) as unit:
            return visible_lessons(unit, learned, who)

    def _is_own_turn(self, id: str) -> bool:
        if not self._reach.is_bound:
            return True
        found = find_turn(self._turn_dependencies, id)
        receipt = found.receipt if isinstance(found, OpenTurn) else found
        return receipt is not None and self._reach.sees_turn(receipt.agent, receipt.user)

    def _covers(self, unit: UnitOfWork, session: str) -> bool:
        return self._reach.sees_session(unit.participants.of(session))

    def _claim(
        self,
        names: Sequence[str],
        agent: str | None,
        user: str | None,
        *,
        is_used: Callable[[], bool] | None = None,
    ) -> None:
        """Record the claim in the same transaction that checks for others."""
        own = names[0]
        if not self._reach.is_bound or self.is_reached(own):
            return
        claim = Participant(
            session=own, agent=self._reach.agent or agent, user=self._reach.user or user
        )
        is_known = (is_used is not None and is_used()) or self._has_episodes(names)
        with self._store.write(self._workspace) as unit:
            self._check_free(unit, names, is_used=is_known)
            unit.participants.put(claim)

    def _check_free(self, unit: UnitOfWork, names: Sequence[str], *, is_used: bool = False) -> None:
        """Raise NameTaken if others keep anything under a name, in any of its forms."""
        for name in names:
            known = unit.participants.of(name)
            if self._reach.sees_session(known):
                continue
            if known or is_used or self._is_kept(unit, name):
                raise NameTaken(
                    f"the name {names[0]!r} is taken in this workspace by somebody else;"
                    " choose another, for example one with the agent's name in it"
                )

    def _has_log(self, place: ConversationAddress) -> bool:
        """Whether a conversation has a chat log; nobody claims one that cannot be looked for."""
        try:
            return find_log(self._context.workspaces, place).exists()
        except NotADirectoryError:
            return False
        except OSError as error:
            problem = f"the chat logs cannot be read ({error.strerror}); check their permissions"
            raise ChatLogUnavailable(f"{error.filename}: {problem}") from error

    def _has_episodes(self, names: Sequence[str]) -> bool:
        """Whether what was said is kept under any of these names."""
        return any(has_episodes(self._store, self._workspace, name) for name in names)

    def _is_kept(self, unit: UnitOfWork, name: str) -> bool:
        """Whether anything is kept under a name, in the store or in files."""
        if is_session_name_used(unit, name, self._clock()):
            return True
        return has_files(self._context.workspaces, self._workspace, name)


def _names_of_session(session: str) -> tuple[str, ...]:
    """A session's name, and the key of the context with the same name."""
    return tuple(dict.fromkeys((session, to_file_name(session))))


def _names_of_context(place: ConversationAddress) -> tuple[str, ...]:
    """The key of a context, and the session with the same name."""
    return tuple(dict.fromkeys((place.key, place.context or place.key)))
