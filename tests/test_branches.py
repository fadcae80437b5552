"""Branches of a session, and what it costs to take blocks out of a history."""

import pytest

from tacit import InvalidInput, NotFound, Tacit
from tacit.language.compaction import estimate_history_tokens
from tacit.language.tokens import estimate_tokens

REPLICAS = "Replicas live in Frankfurt"
BACKUPS = "Backups run at midnight"
TOPICS = ("gherkin", "kestrel", "zither", "quokka", "yurt", "obelisk", "gazebo", "turnip")


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.memories.remember_all([REPLICAS, BACKUPS])
        tacit.memories.remember_all([f"The {topic} stands in hall {topic[:2]}" for topic in TOPICS])
        yield tacit


def _say(tacit, text, history=(), session="s", **asked):
    with tacit.turn(session=session, history=list(history), text=text, **asked) as turn:
        turn.commit("Understood.")
    return turn


def _blocks(messages):
    return [each for each in messages if str(each["content"]).startswith("[Context from memory]")]


def test_a_branch_sees_the_blocks_of_its_session(tacit):
    one = _say(tacit, "Where do replicas live?")
    tacit.sessions.fork("s", "branch")
    turn = _say(tacit, "Where do replicas live?", one.history, session="branch")
    assert turn.block is None
    assert [block["content"] for block in _blocks(turn.messages)] == [one.block]


def test_a_branch_and_its_session_do_not_write_into_each_other(tacit):
    one = _say(tacit, "Where do replicas live?")
    tacit.sessions.fork("s", "branch")
    _say(tacit, "When do backups run?", one.history, session="branch")
    after = _say(tacit, "When do backups run?", one.history)
    assert BACKUPS in after.block
    assert tacit.sessions.get("s").session.turns == tacit.sessions.get("branch").session.turns == 2
    assert len(tacit.turns.list(session="branch")) == 1


def test_resetting_a_branch_leaves_its_session_alone(tacit):
    one = _say(tacit, "Where do replicas live?")
    tacit.sessions.fork("s", "branch")
    assert tacit.sessions.reset_memory_injection_tracking("branch").cleared == 1
    assert REPLICAS in _say(tacit, "Where do replicas live?", [], session="branch").block
    assert _say(tacit, "Where do replicas live?", one.history).block is None


def test_an_erased_memory_leaves_the_history_of_a_branch_too(tacit):
    one = _say(tacit, "Where do replicas live?")
    tacit.sessions.fork("s", "branch")
    tacit.erase(next(each.id for each in tacit.list() if each.content == REPLICAS))
    for session in ("s", "branch"):
        turn = tacit.preview(session=session, history=one.history, text="thanks")
        assert all(REPLICAS not in each["content"] for each in turn.messages)


def test_a_branch_needs_a_session_and_a_new_name(tacit):
    with pytest.raises(NotFound, match="'nobody'"):
        tacit.sessions.fork("nobody", "branch")
    _say(tacit, "Where do replicas live?")
    with pytest.raises(InvalidInput, match="name a new one"):
        tacit.sessions.fork("s", "s")


def _talk(tacit, turns, **settings):
    found, history = [], []
    for topic in TOPICS[:turns]:
        turn = _say(tacit, f"Where does the {topic} stand?", history, **settings)
        found.append(turn)
        history = turn.history
    return found


def test_the_receipt_says_what_a_pruned_block_costs_the_cache(tacit):
    *before, last = _talk(tacit, 4)
    assert [each.receipt.recached_tokens for each in before] == [0, 0, 0]
    assert last.receipt.pruned == (before[0].receipt.block,)
    sent = last.messages[:-2]
    blocks = sum(estimate_tokens(each["content"]) for each in _blocks(sent))
    said = [each for each in sent if each not in _blocks(sent)]
    assert last.receipt.recached_tokens == blocks + estimate_history_tokens(said)


def test_a_block_that_an_open_turn_removed_costs_the_cache_once(tacit):
    history = _talk(tacit, 3)[-1].history
    first = tacit.turn(session="s", history=history, text=f"Where does the {TOPICS[3]} stand?")
    assert first.receipt.recached_tokens > 0
    later = [*first.messages, {"role": "assistant", "content": "In hall qu."}]
    assert tacit.turn(session="s", history=later, text="thanks").receipt.recached_tokens == 0


def test_by_prefix_blocks_stay_up_to_twice_the_cap_and_then_leave_together(tacit):
    turns = _talk(tacit, 7, cache_policy="prefix")
    live = [len(_blocks(turn.messages)) for turn in turns]
    assert live == [1, 2, 3, 4, 5, 6, 3]
    assert [bool(turn.receipt.recached_tokens) for turn in turns] == [False] * 6 + [True]


def test_by_prefix_blocks_leave_when_the_prefix_is_lost_anyway(tacit):
    history = _talk(tacit, 5, cache_policy="prefix")[-1].history
    cut = [each for each in history if each not in _blocks(history)][2:]
    turn = _say(tacit, "thanks", cut, cache_policy="prefix")
    assert len(_blocks(turn.messages)) == 3


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda said: [{"role": "user", "content": "Hello."}, *said], id="moved"),
        pytest.param(lambda said: said[:-2], id="gone"),
    ],
)
def test_by_prefix_one_change_of_the_history_is_enough_for_blocks_to_leave(tacit, change):
    history = _talk(tacit, 5, cache_policy="prefix")[-1].history
    said = [each for each in history if each not in _blocks(history)]
    turn = tacit.preview(session="s", history=change(said), text="thanks", cache_policy="prefix")
    assert len(_blocks(turn.messages)) == 3


def test_by_prefix_blocks_wait_again_where_they_were_moved_to(tacit):
    history = _talk(tacit, 3, cache_policy="prefix")[-1].history
    front = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi."}]
    live = []
    for history_before, topic in ((front, "obelisk"), ([], "gazebo"), ([], "turnip")):
        asked = f"Where does the {topic} stand?"
        turn = _say(tacit, asked, [*history_before, *history], cache_policy="prefix")
        live.append(len(_blocks(turn.messages)))
        history = turn.history
    assert live == [3, 4, 5]


@pytest.mark.parametrize("policy", ["cap", "prefix"])
def test_ephemeral_blocks_leave_after_their_turn_whatever_the_policy(tacit, policy):
    settings = {"cache_policy": policy, "max_injected_blocks_in_history": 0}
    for turn in _talk(tacit, 3, **settings):
        assert len(_blocks(turn.messages)) == 1
        assert _blocks(turn.history) == []


def test_the_command_line_forks_a_session(run, tmp_path):
    with Tacit.open(tmp_path / "cli.db", embedder="none") as tacit:
        tacit.remember(REPLICAS)
        _say(tacit, "Where do replicas live?")
    assert "branch is a branch of s" in run("session", "fork", "s", "--into", "branch").out
    assert '"turns": 1' in run("session", "show", "branch", "--json").out
    assert run("session", "fork", "s").code == 2
    assert run("session", "show", "s", "--into", "x").code == 2
