"""The async facade: every call of Tacit, awaited, with no second implementation."""

import asyncio

import pytest

from tacit import AsyncTacit, Tacit
from tacit.core.errors import NotFound


def test_calls_are_awaited_and_run_side_by_side(tmp_path):
    async def work():
        async with await AsyncTacit.open(tmp_path / "memory.db") as tacit:
            written = await asyncio.gather(*(tacit.remember(f"number {n}") for n in range(30)))
            assert len(await tacit.list()) == 30
            first = await tacit.get(written[0].id)
            assert first.content == "number 0"
            with pytest.raises(NotFound):
                await tacit.get("01890a5d-ac96-774b-bcce-b302099a8057")

    asyncio.run(work())


def test_a_turn_is_begun_and_committed_without_blocking():
    async def work():
        async with await AsyncTacit.open(":memory:") as tacit:
            await tacit.remember("Replicas live in Frankfurt")
            asked = {"session": "s", "text": "Where do replicas live?"}
            async with tacit.turn(**asked) as turn:
                assert "Frankfurt" in turn.block
                assert turn.messages[0]["content"] == turn.block
                await turn.commit("In Frankfurt.")
            assert turn.history[-1]["content"] == "In Frankfurt."
            assert (await tacit.turns.list())[0].id == turn.receipt.id

    asyncio.run(work())


def test_a_turn_that_fails_or_is_not_committed_is_rolled_back():
    async def work():
        async with await AsyncTacit.open(":memory:") as tacit:
            asked = {"session": "s", "text": "Where do replicas live?", "history": []}
            with pytest.raises(ZeroDivisionError):
                async with tacit.turn(**asked):
                    raise ZeroDivisionError
            async with tacit.turn(**asked) as turn:
                pass
            assert turn.history == []
            assert await tacit.turns.list() == []
            with pytest.raises(RuntimeError, match="async with"):
                tacit.turn(**asked).messages  # noqa: B018

    asyncio.run(work())


def test_calls_of_the_library_alone_are_awaited_too():
    async def work():
        async with await AsyncTacit.open(":memory:") as tacit:
            await tacit.warm()
            written = await tacit.remember("x")
            assert await tacit.memories.find_id(written.id[-8:]) == written.id
            assert not await tacit.sessions.is_paused(session="s")
            assert (await tacit.workspace.describe())["backend"] == "memory"

    asyncio.run(work())


def test_a_call_that_the_wrapped_object_lacks_is_an_attribute_error():
    async def work():
        async with await AsyncTacit.open(":memory:") as tacit:
            with pytest.raises(
                AttributeError, match="wraps a Workspace, which has no call 'watch'"
            ):
                await tacit.workspace.watch()

    asyncio.run(work())


@pytest.mark.parametrize("name", ["nonsense", "_store", "worker"])
def test_it_offers_nothing_else(name):
    with pytest.raises(AttributeError, match=name):
        getattr(AsyncTacit(Tacit.open(":memory:")), name)


def test_closing_happens_when_the_block_ends(tmp_path):
    async def work():
        async with await AsyncTacit.open(tmp_path / "memory.db") as tacit:
            await tacit.remember("x")

    asyncio.run(work())
    assert not (tmp_path / "memory.db-wal").exists()
