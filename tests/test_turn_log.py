"""The log says of a turn that injects nothing why, each reason in a line of its own."""

import logging

import pytest

from tacit import Tacit
from tacit.core.kinds import LEARNED_BY, QUOTE

REPLICAS = "Read replicas live in Frankfurt"
ASKED = "Where do replicas live?"
LEARNED = {
    "origin": {"session": "s1"},
    "metadata": {LEARNED_BY: "rules", QUOTE: "read replicas live in Frankfurt"},
}
SAID = [{"role": "user", "content": "Remember: read replicas live in Frankfurt"}]


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


@pytest.fixture
def reason(tacit, caplog):
    """Has a turn begin, and tells what its line says in brackets."""

    def begin(history=(), **asked):
        caplog.clear()
        lenient = {"contextual_min_score": 0.05}
        tacit.turn(**{"session": "s1", "text": ASKED, "history": history, **lenient, **asked})
        lines = [each.getMessage() for each in caplog.records if each.levelno == logging.INFO]
        turns = [line for line in lines if line.startswith("memory injection: ")]
        counted, bracket, told = turns[-1].partition("ms (")
        assert counted.startswith("memory injection: 0 pinned + 0 contextual = 0 total, took ")
        assert bracket
        return told.removesuffix(")")

    caplog.set_level(logging.INFO, "tacit.turn")
    return begin


def _show(tacit):
    with tacit.turn(session="s1", text=ASKED, history=[], contextual_min_score=0.05) as turn:
        turn.commit("In Frankfurt.")
    assert turn.block
    return turn.history


def test_an_empty_memory_has_no_candidates(reason):
    assert reason() == "no candidates"


def test_candidates_below_the_floor_are_not_relevant(tacit, reason):
    tacit.remember(REPLICAS)
    assert reason(contextual_min_score=1.0) == "nothing relevant"


def test_what_does_not_fit_is_told_from_what_is_not_relevant(tacit, reason):
    tacit.remember("Frankfurt " * 12, key="replicas.live" * 8)
    tacit.remember("Replicas cost money", confidence=0.1)
    assert reason(memory_context_max_chars=447) == "empty after budget: over_chars"


def test_what_a_block_shows_was_injected(tacit, reason):
    tacit.remember(REPLICAS)
    history = _show(tacit)
    tacit.remember("Replicas may live in Oslo, who knows", confidence=0.1)
    assert reason(history) == "all memories already injected this session"


def test_what_was_only_said_was_not_injected(tacit, reason):
    tacit.remember(REPLICAS, **LEARNED)
    assert reason(SAID) == "all memories already said this session"


def test_what_the_host_shows_was_not_injected(tacit, reason):
    tacit.remember(REPLICAS)
    shown = {"history": None, "shown": [REPLICAS]}
    assert reason(**shown) == "all memories already shown by the host"


def test_what_is_in_view_in_several_ways_is_in_the_context(tacit, reason):
    tacit.remember(REPLICAS)
    history = _show(tacit)
    tacit.remember("Write replicas live in Oslo", **LEARNED | {"metadata": {LEARNED_BY: "rules"}})
    said = {"role": "user", "content": "Write replicas live in Oslo"}
    assert reason([*history, said]) == "all memories already in the context"


def test_what_no_rule_decides_is_in_conflict(tacit, reason):
    tacit.remember("Billing runs on MySQL", confidence=0.9)
    tacit.remember("Billing runs on Oracle", confidence=0.9, by="operator")
    asked = {"text": "What does billing run on?", "conflict_policy": "omit"}
    assert reason(**asked) == "all memories in conflict"


def test_what_does_not_suit_is_named_by_its_fates(tacit, reason):
    tacit.remember(REPLICAS, confidence=0.1)
    tacit.remember("Replicas live on the moon", trust="untrusted")
    assert reason() == "no memory admitted: low_confidence, untrusted"


def test_a_store_that_fails_is_told_from_an_empty_one(tacit, reason, monkeypatch):
    def fail(*_, **__):
        raise OSError("the disk is gone")

    tacit.remember(REPLICAS)
    with monkeypatch.context() as broken:
        broken.setattr(type(tacit._context.store), "write", fail)
        assert reason() == "memory not available: record: failed (the disk is gone)"
    monkeypatch.setattr(type(tacit._context.searcher), "search", fail)
    assert reason() == "memory not available: search: failed (the disk is gone)"
