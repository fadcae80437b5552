"""The async facade: every call of Tacit, awaited, with no second implementation."""

import asyncio
import inspect

import pytest

from tacit import AsyncTacit, Tacit
from tacit.errors import NotFound


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


def test_it_offers_every_method_of_tacit():
    facade = AsyncTacit(Tacit.open(":memory:"))
    for name, method in inspect.getmembers(Tacit, inspect.isfunction):
        if not name.startswith("_"):
            offered = getattr(facade, name)
            assert inspect.iscoroutinefunction(offered)
            assert offered.__doc__ == method.__doc__
            assert name in dir(facade)


@pytest.mark.parametrize("name", ["nonsense", "_store", "workspaces"])
def test_it_offers_nothing_else(name):
    with pytest.raises(AttributeError, match=name):
        getattr(AsyncTacit(Tacit.open(":memory:")), name)


def test_closing_happens_when_the_block_ends(tmp_path):
    async def work():
        async with await AsyncTacit.open(tmp_path / "memory.db") as tacit:
            await tacit.remember("x")

    asyncio.run(work())
    assert not (tmp_path / "memory.db-wal").exists()
