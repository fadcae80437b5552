"""Turns of which nothing is recorded, since their session was cleared or paused meanwhile."""

import asyncio

import pytest

from tacit import AsyncTacit, Tacit
from tacit.settings.config import Config
from tacit.settings.grounding import GroundingSettings
from tacit.store.backends import open_store
from tests.support import HandClock

JWT = "We chose JWT over session tokens for the API"
ASK = "Which tokens did we choose for the API? My name is Quokka Brown."
REPLY = "JWT, says the platypus."


@pytest.fixture
def tacit(tmp_path):
    config = Config(grounding=GroundingSettings(workspaces_folder=str(tmp_path)))
    with Tacit(open_store(":memory:"), "default", clock=HandClock(), config=config) as tacit:
        tacit.remember(JWT)
        yield tacit


def _recorded(tacit):
    """All that turns leave behind."""
    tacit.learn()
    with tacit._context.store.read("default") as unit:
        blocks = [block for block in unit.blocks.scan(None, 9) if block.state == "live"]
        return {
            "turns": sum(each.turns for each in unit.sessions.scan(None, 9)),
            "receipts": unit.receipts.scan(None, 9),
            "ledger": unit.ledger.scan(None, 9),
            "heard": unit.heard.scan(None, 9),
            "blocks": blocks,
            "memories": [each.content for each in tacit.list()],
        }


NOTHING = {
    "turns": 0,
    "receipts": [],
    "ledger": [],
    "heard": [],
    "blocks": [],
    "memories": [JWT],
}


def test_a_turn_whose_session_was_cleared_gives_its_history_and_is_not_recorded(tacit):
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    turn = tacit.turn(session="s", text=ASK, contextual_min_score=0.0, history=history)
    assert turn.block
    reset = tacit.sessions.clear("s")
    assert (reset.abandoned_turns, reset.cleared) == (1, 0)
    ended = turn.commit(REPLY)
    assert (ended.not_recorded, ended.was_open, ended.block_stays) == (
        "session_cleared",
        False,
        False,
    )
    said = [{"role": "user", "content": ASK}, {"role": "assistant", "content": REPLY}]
    assert turn.history == [*history, *said]
    assert _recorded(tacit) == NOTHING
    assert tacit.commit_turn(turn.receipt.id, REPLY).not_recorded == "session_cleared"
    assert tacit.sessions.clear("s").abandoned_turns == 0


def test_a_session_goes_on_after_it_was_cleared_as_if_its_open_turn_never_was(tacit):
    first = tacit.turn(session="s", text=ASK, contextual_min_score=0.0)
    first.commit(REPLY)
    late = tacit.turn(
        session="s", text="And why those tokens?", contextual_min_score=0.0, history=first.history
    )
    tacit.sessions.clear("s")
    after = tacit.turn(session="s", text="Which tokens again?", contextual_min_score=0.0)
    assert after.block
    assert late.commit("Because.").not_recorded == "session_cleared"
    ended = after.commit(REPLY)
    assert (ended.not_recorded, ended.turn) == (None, 2)
    assert tacit.sessions.get("s").session.turns == 2
    kept = tacit.turn(session="s", text="Thanks", history=late.history)
    assert not any(message["content"].startswith("[Context from") for message in kept.messages)


def test_a_block_of_an_abandoned_turn_is_recognised_where_the_caller_kept_it(tacit):
    turn = tacit.turn(session="s", text=ASK, contextual_min_score=0.0)
    tacit.sessions.clear("s")
    shown = [*turn.messages, {"role": "assistant", "content": REPLY}]
    after = tacit.turn(session="s", text="ok", history=shown)
    assert turn.block not in [message["content"] for message in after.messages]


def test_a_grounded_prompt_whose_session_was_cleared_is_in_no_chat_log(tacit, tmp_path):
    grounding = tacit.ground(ASK, context="c", session="s")
    other = tacit.ground(ASK, context="c", session="s")
    assert tacit.sessions.clear("s").abandoned_turns == 2
    assert grounding.commit(REPLY).not_recorded == "session_cleared"
    ended = tacit.grounding.end(other.receipt.id, REPLY)
    assert ended.not_recorded == "session_cleared"
    assert list(tmp_path.rglob("*.md")) == []
    assert _recorded(tacit) == NOTHING


@pytest.mark.parametrize("owner", [{"session": "s"}, {"project": "p"}])
def test_a_turn_whose_session_or_project_was_paused_meanwhile_is_not_recorded(tacit, owner):
    turn = tacit.turn(session="s", text=ASK, contextual_min_score=0.0, project="p")
    tacit.sessions.pause(**owner)
    for _ in range(2):
        assert tacit.commit_turn(turn.receipt.id, REPLY).not_recorded == "paused"
    tacit.sessions.resume(**owner)
    assert turn.commit(REPLY).not_recorded == "paused"
    assert turn.history[-1]["content"] == REPLY
    assert _recorded(tacit) == NOTHING
    assert (
        tacit.turn(session="s", text=ASK, contextual_min_score=0.0, project="p")
        .commit(REPLY)
        .not_recorded
        is None
    )


@pytest.mark.parametrize(
    "act",
    [
        lambda tacit: tacit.end_session("s"),
        lambda tacit: tacit.sessions.reset_memory_injection_tracking("s"),
        lambda tacit: tacit.sessions.fork("s", "branch"),
        lambda tacit: tacit.compact(session="s", history=[]),
    ],
    ids=["end", "reset", "fork", "compact"],
)
def test_a_turn_is_recorded_whatever_else_is_done_with_its_session(tacit, act):
    turn = tacit.turn(session="s", text=ASK, contextual_min_score=0.0)
    act(tacit)
    ended = turn.commit(REPLY)
    assert (ended.not_recorded, ended.turn, ended.block_stays) == (None, 1, True)
    assert tacit.sessions.get("s").session.turns == 1
    assert tacit.turns.get(turn.receipt.id)


def test_an_async_turn_says_that_its_session_was_cleared():
    async def said():
        async with (
            await AsyncTacit.open(":memory:", embedder="none") as tacit,
            tacit.turn(session="s", text=ASK, contextual_min_score=0.0) as turn,
        ):
            assert (await tacit.sessions.clear("s")).abandoned_turns == 1
            return (await turn.commit(REPLY)).not_recorded

    assert asyncio.run(said()) == "session_cleared"
