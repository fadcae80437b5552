"""What the store holds."""

from collections.abc import Iterator
from datetime import datetime
from shlex import quote

from tacit.cli.doctor.finding import Finding, doubtful, fine
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import opened
from tacit.cli.doctor.tenants import counted, examined
from tacit.core.kinds import Scope, State
from tacit.runtime.clock import system_clock
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query

_SESSIONS_READ = 50
"""So many of the last sessions are asked whether a user with a name spoke in them."""


def look(installation: Installation) -> Iterator[Finding]:
    """How many workspaces and memories there are, what waits for a person, what has no owner."""
    now = system_clock()
    live = every = reviews = 0
    unowned: list[Finding] = []
    with opened(installation) as store:
        if store is None:
            return
        names, told = examined(store)
        for name in names:
            with store.read(name) as unit:
                counts = unit.counts(now)
                unowned += _unowned(unit, name, now)
            live += counts.by_state.get(State.LIVE, 0)
            every += sum(counts.by_state.values())
            reviews += counts.reviews
    waiting = "" if not reviews else f"; {counted(reviews, 'review')} waiting for a person"
    yield fine("memories", f"{counted(every, 'memory')}, {live:,} live, in {told}{waiting}")
    yield from unowned


def _unowned(unit: UnitOfWork, workspace: str, now: datetime) -> Iterator[Finding]:
    """Memories that belong to no user, in a workspace whose users have names and miss them."""
    count = unit.memories.total(Query(now=now, scope=Scope.USER, scope_id=""))
    if not count:
        return
    others = unit.memories.total(Query(now=now, scope=Scope.USER)) - count
    recent = unit.sessions.recent(_SESSIONS_READ, None)
    if others or any(name for session in recent for name in session.speakers):
        belong, them = ("belongs", "it") if count == 1 else ("belong", "them")
        found = (
            f"{counted(count, 'memory')} {belong} to no user, so no user with a name sees {them}"
        )
        where = "" if workspace == "default" else f" --workspace {quote(workspace)}"
        yield doubtful(
            "memories",
            f"{found} ({others:,} have an owner), in workspace {workspace}",
            f"give {them} an owner: tacit assign --user NAME{where}",
        )
