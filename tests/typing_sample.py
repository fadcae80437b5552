"""A program that a type checker reads, never run; each line with a `mistake` must be an error."""

from collections.abc import AsyncGenerator, Sequence
from typing import assert_type

from tacit import (
    AsyncTacit,
    AuditEntry,
    BaseTacit,
    Compaction,
    Memory,
    Receipt,
    RemoteTacit,
    SearchResult,
    Tacit,
    Turn,
    Written,
)
from tacit.api.async_calls import AsyncTurn
from tacit.core.events import Event
from tacit.grounding.documents.results import DocumentSearch
from tacit.turn.commit import CommitResult


def count_tagged(tacit: BaseTacit, tag: str) -> int:
    assert_type(tacit.workspace.open("other").get("id"), Memory)
    assert_type(tacit.documents.search("question"), DocumentSearch)
    return tacit.count(tag=tag)


def use_the_library(tacit: Tacit) -> None:
    assert_type(count_tagged(tacit, "billing"), int)
    assert_type(tacit.remember("x", tags=["billing"], by="agent"), Written)
    assert_type(tacit.memories.history("id"), Sequence[AuditEntry])
    assert_type(tacit.list(sort="created", limit=5), list[Memory])
    with tacit.turn(session="s", text="x", max_total=3) as turn:
        assert_type(turn, Turn)
    tacit.remember("x", colour="red")  # mistake: call-arg
    tacit.memories.history(7)  # mistake: arg-type
    tacit.turns.list(sessions="s")  # mistake: call-arg


def use_a_server(tacit: RemoteTacit) -> None:
    assert_type(count_tagged(tacit, "billing"), int)
    assert_type(tacit.remember("x", tags=["billing"], by="agent"), Written)
    assert_type(tacit.memories.history("id"), Sequence[AuditEntry])
    assert_type(tacit.get("id"), Memory)
    assert_type(tacit.search("x", mode="recent", max_results=3), SearchResult)
    assert_type(tacit.turns.list(limit=3), Sequence[Receipt])
    assert_type(tacit.memories.unlink("a", "b"), None)
    assert_type(tacit.end_session("s"), int)
    with tacit.within(5).turn(session="s", text="x") as turn:
        assert_type(turn.commit("y"), CommitResult)
    tacit.remember("x", importance="high")  # mistake: arg-type
    tacit.memories.history(7)  # mistake: arg-type
    tacit.turns.list(sessions="s")  # mistake: call-arg
    tacit.get()  # mistake: call-arg
    tacit.warm()  # mistake: attr-defined


async def use_async() -> None:
    async with await AsyncTacit.open(":memory:", embedder="none") as tacit:
        assert_type(await tacit.remember("x", tags=["billing"], by="agent"), Written)
        assert_type(await tacit.memories.history("id"), Sequence[AuditEntry])
        assert_type(await tacit.list(sort="created", limit=5), list[Memory])
        assert_type(await tacit.search("x", mode="recent", max_results=3), SearchResult)
        assert_type(await tacit.compact(session="s", history=[], summarizer=None), Compaction)
        assert_type(await tacit.memories.find_id("0a1b2c3d"), str)
        assert_type(await tacit.warm(), None)
        async with tacit.turn(session="s", text="x", max_total=3) as turn:
            assert_type(turn, AsyncTurn)
            assert_type(await turn.commit("y"), CommitResult)
        tacit.turn(text="x")  # mistake: call-arg
        await tacit.remember("x", colour="red")  # mistake: call-arg
        await tacit.memories.history(7)  # mistake: arg-type
        await tacit.nonsense()  # mistake: attr-defined
    async with await AsyncTacit.connect("http://127.0.0.1:8377", timeout=5) as remote:
        events = await remote.workspace.watch(after=3)
        assert_type(events, AsyncGenerator[Event, None])
        async for event in events:
            assert_type(event, Event)
        await remote.workspace.watch(since=3)  # mistake: call-arg
    await AsyncTacit.open(embeder="none")  # mistake: call-arg
    await AsyncTacit.connect(timeout="long")  # mistake: arg-type
