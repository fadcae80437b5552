"""The contract of a store for counting memories by the day on which they were created."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

from tacit.core.permissions import Viewer
from tests.support import make_memory

EAST = timezone(timedelta(hours=9))


def _keep(store, *memories, workspace="default"):
    with store.write(workspace) as unit:
        for number, memory in enumerate(memories):
            said = f"{memory.content} {number}"
            unit.memories.insert(replace(memory, content=said, workspace=workspace))


def test_memories_are_counted_by_the_day_in_utc_whatever_became_of_them(store):
    midnight = datetime(2026, 3, 1, tzinfo=UTC)
    before = midnight - timedelta(microseconds=1)
    _keep(
        store,
        make_memory(created_at=before),
        make_memory(created_at=midnight),
        make_memory(created_at=midnight + timedelta(hours=23), forgotten=True),
        make_memory(created_at=datetime(2026, 3, 2, 8, tzinfo=EAST).astimezone(UTC)),
        make_memory(created_at=datetime(1969, 12, 31, 23, tzinfo=UTC)),
        make_memory(created_at=datetime(1, 1, 1, tzinfo=UTC)),
        make_memory(created_at=datetime(9999, 12, 31, 23, tzinfo=UTC)),
    )
    _keep(store, make_memory(), workspace="other")
    with store.read("default") as unit:
        assert unit.memories.by_day(Viewer()) == {
            date(2026, 2, 28): 1,
            date(2026, 3, 1): 3,
            date(1969, 12, 31): 1,
            date(1, 1, 1): 1,
            date(9999, 12, 31): 1,
        }


def test_an_agent_counts_what_it_may_see(store):
    day = datetime(2026, 3, 1, tzinfo=UTC)
    owners = (None, "coder", "planner", "planner")
    _keep(store, *(make_memory(agent=agent, created_at=day) for agent in owners))
    with store.read("default") as unit:
        counts = [
            unit.memories.by_day(Viewer(agent=agent))
            for agent in (None, "coder", "planner", "nobody")
        ]
    assert counts == [{day.date(): count} for count in (4, 2, 3, 1)]


def test_a_user_counts_what_they_may_see(store):
    day = datetime(2026, 3, 1, tzinfo=UTC)
    owners = [("user", ""), ("user", "ann"), ("user", "bob"), ("session", "s"), ("org", "")]
    _keep(
        store,
        *(make_memory(scope=scope, scope_id=id, created_at=day) for scope, id in owners),
    )
    with store.read("default") as unit:
        counts = [unit.memories.by_day(Viewer(user=user)) for user in (None, "ann", "cy")]
    assert counts == [{day.date(): count} for count in (5, 3, 2)]


def test_a_memory_counts_in_the_transaction_that_wrote_it(store):
    with store.write("default") as unit:
        assert unit.memories.by_day(Viewer()) == {}
        memory = make_memory()
        unit.memories.insert(memory)
        assert unit.memories.by_day(Viewer()) == {memory.created_at.date(): 1}
        unit.memories.delete(memory.id)
        assert unit.memories.by_day(Viewer()) == {}
