"""What the store holds."""

from collections.abc import Iterator

from tacit.doctor.finding import Finding, fine
from tacit.doctor.installation import Installation
from tacit.doctor.place import opened
from tacit.doctor.tenants import counted, examined
from tacit.memory import State
from tacit.runtime.clock import system_clock


def look(installation: Installation) -> Iterator[Finding]:
    """How many workspaces and memories there are, and what waits for a person."""
    now = system_clock()
    live = every = reviews = 0
    with opened(installation) as store:
        if store is None:
            return
        names, told = examined(store)
        for name in names:
            with store.read(name) as unit:
                counts = unit.counts(now)
            live += counts.by_state.get(State.LIVE, 0)
            every += sum(counts.by_state.values())
            reviews += counts.reviews
    waiting = "" if not reviews else f"; {counted(reviews, 'review')} waiting for a person"
    yield fine("memories", f"{counted(every, 'memory')}, {live:,} live, in {told}{waiting}")
