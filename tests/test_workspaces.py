"""One store for many tenants: a Tacit for each, which share everything but memories."""

import asyncio

import pytest

from tacit import AsyncTacit, FakeEmbedder, Tacit
from tacit.core.errors import InvalidInput, StoreUnavailable
from tacit.settings.config import Config
from tests.support import open_backend


def test_tenants_of_one_store_see_their_own_memories_only(tacit):
    theirs = tacit.workspace.open("theirs")
    tacit.remember("our gherkins are green")
    theirs.remember("their gherkins are sour")
    assert [hit.memory.workspace for hit in tacit.search("gherkins").hits] == ["default"]
    assert [hit.memory.workspace for hit in theirs.search("gherkins").hits] == ["theirs"]
    turn = theirs.turn(session="s", text="which gherkins?", contextual_min_score=0.0)
    assert "sour" in turn.block
    assert "green" not in turn.block


def test_a_tenants_end_is_not_the_others(store):
    with Tacit(store, "ours", embedder=FakeEmbedder(), config=Config()) as ours:
        with ours.workspace.open("theirs") as theirs:
            theirs.remember("kept")
        assert [memory.content for memory in theirs.list()] == ["kept"]
        ours.remember("kept as well")
    with pytest.raises(StoreUnavailable):
        theirs.list()


def test_tenants_share_settings_and_the_model(tmp_path):
    (tmp_path / "tacit.toml").write_text("[defaults.memory_injection]\nenabled = false\n")
    config = tmp_path / "tacit.toml"
    with Tacit.open(":memory:", embedder="none", config=config) as ours:
        turn = ours.workspace.open("theirs").turn(session="s", text="which gherkins are sour?")
        assert turn.receipt.skipped == "disabled"


def test_a_name_that_cannot_be_a_workspace_is_refused(tacit):
    with pytest.raises(InvalidInput, match="workspace"):
        tacit.workspace.open("")


def test_async_programs_have_tenants_too(tmp_path):
    async def work():
        ours = AsyncTacit(Tacit(open_backend("memory", tmp_path), "ours"))
        theirs = ours.workspace.open("theirs")
        await theirs.remember("kept")
        return theirs.workspace.name, len(await ours.list()), len(await theirs.list())

    assert asyncio.run(work()) == ("theirs", 0, 1)
