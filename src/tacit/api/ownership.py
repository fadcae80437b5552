"""What a caller reaches of a workspace's sessions: all, or those of its agent and user alone.

A name that others use is, to a bound caller, as if it were not there; only who begins something
under it is told that it is taken.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.api.activity import activity_in
from tacit.api.events import events_after, events_reached
from tacit.api.face.sessions import list_sessions, no_session, read_variables
from tacit.api.face.turns import list_receipts, no_receipt, no_turn, roll_back_open
from tacit.api.learning import Learning
from tacit.api.lessons import told_to
from tacit.api.visibility import hidden_from, visible_history
from tacit.core.activity import Activity
from tacit.core.changes import AuditEntry
from tacit.core.errors import NameTaken, NotFound
from tacit.core.events import EventPage
from tacit.core.fields import check_field
from tacit.core.permissions import Viewer
from tacit.core.receipt import Receipt
from tacit.core.sessions import ListedSession, Participant
from tacit.grounding.ownership import has_files, log_of
from tacit.grounding.places import Place, Workspaces, file_name
from tacit.store.kept import is_anything_kept
from tacit.store.protocols.unit import Unit
from tacit.turn.state import TurnDependencies
from tacit.writing.learning.lesson import Learned


class Ownership:
    """The sessions, turns, receipts and contexts of a workspace, as one caller reaches them."""

    def __init__(
        self,
        means: TurnDependencies,
        reach: Viewer,
        *,
        learning: Learning,
        workspaces: Callable[[], Workspaces],
    ) -> None:
        self._means = means
        self._store = means.store
        self._workspace = means.workspace
        self._clock = means.clock
        self._reach = reach
        self._learning = learning
        self._workspaces = workspaces

    @property
    def reach(self) -> Viewer:
        """Whom the caller is bound to."""
        return self._reach

    def hidden_memories(self, ids: Sequence[str]) -> set[str]:
        """Those of some memories that the caller may not see."""
        with self._store.read(self._workspace) as unit:
            return hidden_from(self._reach, unit, ids)

    def history(self, memory: str) -> list[AuditEntry]:
        """The changes of a memory, oldest first, without those that the caller could not see."""
        viewer, id = (
            self._reach,
            check_field("id", memory),
        )
        with self._store.read(self._workspace) as unit:
            changes = unit.audit.of(id)
            if not changes:
                raise NotFound(f"there is no memory {id} in workspace {self._workspace!r}")
            return visible_history(viewer, unit, unit.memories.get([id]).get(id), changes)

    def is_reached(self, session: str) -> bool:
        """Whether a session is the caller's, or the caller is not bound."""
        if not self._reach.is_bound:
            return True
        with self._store.read(self._workspace) as unit:
            return self._reach.sees_session(unit.participants.of(session))

    def check_session(self, session: str) -> str:
        """Refuse a session that is not reached, as if it were not there."""
        name: str = check_field("session", session)
        if not self.is_reached(name):
            raise no_session(name)
        return name

    def check_turn(self, id: str) -> str:
        """Refuse a turn that another began, as if it were not there."""
        if not self._is_own_turn(check_field("id", id)):
            raise no_turn(id)
        return id

    def check_receipt(self, id: str) -> str:
        """Refuse the receipt of a session that is not reached, as if it were not there."""
        checked = check_field("id", id)
        if self._reach.is_bound:
            with self._store.read(self._workspace) as unit:
                found = unit.receipts.get(checked)
                if found is None or not self._covers(unit, found.session):
                    raise no_receipt(checked)
        return id

    def roll_back(self, turn: str) -> bool:
        """Leave no trace of a turn of the caller's; tells whether it was open."""
        return self._is_own_turn(check_field("id", turn)) and roll_back_open(self._means, turn)

    def variables(self, session: str) -> dict[str, Any]:
        """What is noted about a session; of one that is not reached, nothing is."""
        name = check_field("session", session)
        return read_variables(self._means, name) if self.is_reached(name) else {}

    def claim(self, session: str, agent: str | None = None, user: str | None = None) -> str:
        """Use the name of a session for a bound caller, unless others do."""
        name: str = check_field("session", session)
        self._claim(_names(name), agent, user)
        return name

    def check_free(self, session: str) -> str:
        """Refuse the name of a session that others use; it is not claimed."""
        name: str = check_field("session", session)
        if self._reach.is_bound:
            with self._store.read(self._workspace) as unit:
                self._check_free(unit, _names(name))
        return name

    def claim_context(
        self, asked: Mapping[str, Any], agent: str | None = None, user: str | None = None
    ) -> None:
        """Use the name of a conversation for a bound caller, unless others do."""
        place = Place.of(self._workspace, asked)
        has_log = log_of(self._workspaces(), place).exists()
        self._claim(_names_of(place), agent, user, is_used=has_log)

    def check_context(self, asked: Mapping[str, Any]) -> None:
        """Refuse a conversation that others have, as if it were not there."""
        if self._reach.is_bound:
            place = Place.of(self._workspace, asked)
            with self._store.read(self._workspace) as unit:
                known = unit.participants.of(place.key)
                is_there = bool(known) or self._is_kept(unit, place.key)
                if is_there and not self._reach.sees_session(known):
                    raise NotFound(f"there is no conversation {place.key!r}")

    def sessions(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        """The sessions that were active last, newest first."""
        return list_sessions(self._means, limit, after, self._reach)

    def receipts(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        """The accounts of the last turns, newest first."""
        if session is not None and not self.is_reached(check_field("session", session)):
            return ()
        return list_receipts(self._means, session, limit, after, self._reach)

    def events(self, *, after: int = 0, limit: int = 100) -> EventPage:
        """What happened after an event; nothing of sessions and memories that are others'."""
        size = check_field("limit", limit)
        with self._store.read(self._workspace) as unit:
            if not self._reach.is_bound:
                return events_after(unit, after, size)
            return events_reached(unit, self._reach, after, size)

    def activity(
        self,
        *,
        turns: int = 500,
        days: int = 30,
        agent: str | None = None,
        user: str | None = None,
    ) -> Activity:
        """What the last turns did, and how many memories came in the last days."""
        last, since, seer = (
            check_field("turns", turns),
            check_field("days", days),
            Viewer.of(agent, user),
        )
        with self._store.read(self._workspace) as unit:
            return activity_in(
                unit, turns=last, days=since, viewer=seer, now=self._clock(), reach=self._reach
            )

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        """Read now what was said in turns of the caller's and waits to be learned."""
        who, learned = Viewer.of(agent, user), self._learning.now(self._reach)
        with self._store.read(self._workspace) as unit:
            return told_to(unit, learned, who)

    def _is_own_turn(self, id: str) -> bool:
        if not self._reach.is_bound:
            return True
        with self._store.read(self._workspace) as unit:
            opening = unit.receipts.opening(id)
            receipt = opening.receipt if opening else unit.receipts.get(id)
        return receipt is not None and self._reach.sees_turn(receipt.agent, receipt.user)

    def _covers(self, unit: Unit, session: str) -> bool:
        return self._reach.sees_session(unit.participants.of(session))

    def _claim(
        self,
        names: Sequence[str],
        agent: str | None,
        user: str | None,
        *,
        is_used: bool = False,
    ) -> None:
        """Note that the caller uses a name, in one transaction with the look at who else does."""
        own = names[0]
        if not self._reach.is_bound or self.is_reached(own):
            return
        claim = Participant(
            session=own, agent=self._reach.agent or agent, user=self._reach.user or user
        )
        with self._store.write(self._workspace) as unit:
            self._check_free(unit, names, is_used=is_used)
            unit.participants.put(claim)

    def _check_free(self, unit: Unit, names: Sequence[str], *, is_used: bool = False) -> None:
        """Refuse a name under which there is anything of others, under any of its forms."""
        for name in names:
            known = unit.participants.of(name)
            if self._reach.sees_session(known):
                continue
            if known or is_used or self._is_kept(unit, name):
                raise NameTaken(
                    f"the name {names[0]!r} is taken in this workspace by somebody else;"
                    " choose another, for example one with the agent's name in it"
                )

    def _is_kept(self, unit: Unit, name: str) -> bool:
        """Whether anything is kept under a name, in the store or in files."""
        if is_anything_kept(unit, name, self._clock()):
            return True
        return has_files(self._workspaces(), self._workspace, name)


def _names(session: str) -> tuple[str, ...]:
    """A session's name, and that of the conversation in a context of the same name."""
    return tuple(dict.fromkeys((session, file_name(session))))


def _names_of(place: Place) -> tuple[str, ...]:
    """The key of a context, and the name of the session that is called like it."""
    return tuple(dict.fromkeys((place.key, place.context or place.key)))
