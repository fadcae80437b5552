"""Receipts: each memory has one entry and one fate, and the counts say what they name."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, Tacit
from tacit.core.receipt import CandidateSource, Fate
from tests.properties import examples
from tests.support import UNLEARNING, open_backend

CONTENTS = (
    "Gherkins are green",
    "Green gherkins are in the jar",
    "In the green jar gherkins are",
    "Billing runs on MySQL",
    "Billing runs on Oracle",
    "The walrus guards billing and the gherkins",
    "The parser function is slow",
)
QUESTIONS = (
    "Which gherkins are green?",
    "What does billing run on?",
    "Please refactor the parser function of billing",
    "Are gherkins, billing and the walrus related?",
    "ok",
)
OWNERS = (("user", ""), ("project", "p"), ("org", ""))
MEMORIES = st.fixed_dictionaries(
    {
        "content": st.sampled_from(CONTENTS),
        "type": st.sampled_from(("fact", "preference", "todo", "event")),
        "key": st.sampled_from((None, "billing.db", "jar.content")),
        "owner": st.sampled_from(OWNERS),
        "confidence": st.sampled_from((0.5, 0.75, 0.9)),
        "pinned": st.booleans(),
        "by": st.sampled_from(("user", "agent")),
        "trust": st.sampled_from((None, None, "untrusted")),
    }
)
TURNS = st.fixed_dictionaries(
    {
        "text": st.sampled_from(QUESTIONS),
        "ambient_enabled": st.booleans(),
        "search_limit": st.sampled_from((1, 20)),
        "fact_limit": st.sampled_from((0, 1, 10)),
        "max_total": st.sampled_from((1, 25)),
        "contextual_min_score": st.sampled_from((0.0, 0.3)),
        "conflict_policy": st.sampled_from(("flag", "omit")),
    }
)
IN_BATCH = (Fate.INJECTED, Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)


def _open():
    store = open_backend("memory", Path())
    return Tacit(store, "default", embedder=FakeEmbedder(), config=UNLEARNING)


def _fill(tacit, memories):
    for memory in memories:
        fields = {name: memory[name] for name in ("type", "confidence", "pinned", "by", "trust")}
        scope, scope_id = memory["owner"]
        tacit.remember(
            memory["content"], key=memory["key"], scope=scope, scope_id=scope_id, **fields
        )


def _ask(tacit, history, **asked):
    common = {"pinned_types": ["todo"], "semantic_threshold": 0.8}
    return tacit.turn(session="s1", project="p", history=history, **common, **asked)


def _is_of_an_earlier_turn(candidate, fates):
    """Whether what a candidate repeats is in no way part of the turn's own batch."""
    if candidate.fate is Fate.SEEN_IN_WINDOW:
        return True
    is_duplicate = candidate.fate in (Fate.SAME_CONTENT, Fate.NEAR_DUPLICATE)
    return is_duplicate and fates.get(candidate.by) not in IN_BATCH


@settings(max_examples=examples(10), deadline=None, phases=(Phase.explicit, Phase.generate))
@given(
    memories=st.lists(MEMORIES, min_size=1, max_size=10),
    turns=st.lists(TURNS, min_size=1, max_size=3),
)
def test_each_memory_has_one_entry_and_one_fate(memories, turns):
    history = []
    with _open() as tacit:
        _fill(tacit, memories)
        for asked in turns:
            turn = _ask(tacit, history, **asked)
            receipt = turn.receipt
            entries = Counter(each.memory for each in receipt.candidates)
            assert set(entries.values()) <= {1}
            fates = {each.memory: each.fate for each in receipt.candidates}
            assert Fate.SAME_BATCH not in fates.values()
            assert all(each.by != each.memory for each in receipt.candidates)
            assert receipt.filtered == sum(
                _is_of_an_earlier_turn(each, fates) for each in receipt.candidates
            )
            turn.commit("So it is.")
            history = turn.history


@pytest.fixture
def tacit():
    with _open() as tacit:
        yield tacit


def test_a_memory_that_is_pinned_a_fact_and_a_hit_has_the_entry_that_came_furthest(tacit):
    kept = tacit.remember("Gherkins are green", key="jar.content", pinned=True)
    asked = {"text": "Which gherkins are green?", "contextual_min_score": 0.0}
    (pinned,) = _ask(tacit, [], **asked).receipt.candidates
    assert (pinned.found, pinned.fate) == (CandidateSource.PINNED, Fate.INJECTED)
    tacit.edit(kept.id, pinned=False)
    (fact,) = _ask(tacit, [], **asked).receipt.candidates
    assert (fact.found, fact.fate) == (CandidateSource.FACT, Fate.INJECTED)
    (hit,) = _ask(tacit, [], general_min_confidence=1.0, fact_limit=0, **asked).receipt.candidates
    assert (hit.found, hit.fate) == (CandidateSource.CONTEXTUAL, Fate.INJECTED)


def test_only_what_earlier_turns_showed_is_filtered(tacit):
    tacit.remember("Green gherkins are in the jar")
    asked = {"contextual_min_score": 0.0, "text": "Which green gherkins are in the jar?"}
    tacit.remember("Doubtful gherkins glow", confidence=0.3)
    first = _ask(tacit, [], **asked)
    first.commit("Those.")
    assert first.receipt.outcome() == {"injected": True, "count": 1, "filtered": 0}
    tacit.remember("Green gherkins are in the jar", scope="project", scope_id="p")
    second = _ask(tacit, first.history, **asked)
    fates = Counter(each.fate for each in second.receipt.candidates)
    assert fates == {Fate.SEEN_IN_WINDOW: 1, Fate.SAME_CONTENT: 1, Fate.LOW_CONFIDENCE: 1}
    assert second.receipt.outcome() == {"injected": False, "count": 0, "filtered": 2}
    kept = tacit.turns.list(session="s1")[0]
    assert kept.outcome() == first.receipt.outcome()


def test_a_duplicate_within_the_batch_is_not_filtered(tacit):
    tacit.remember("Green gherkins are in the jar")
    tacit.remember("Green gherkins are in the jar", scope="project", scope_id="p")
    asked = {"contextual_min_score": 0.0, "text": "Which green gherkins are in the jar?"}
    receipt = _ask(tacit, [], **asked).receipt
    assert Counter(each.fate for each in receipt.candidates) == {
        Fate.INJECTED: 1,
        Fate.SAME_CONTENT: 1,
    }
    assert (receipt.outcome()["filtered"], receipt.deduped) == (0, 1)


def test_old_words_of_a_memory_that_a_block_still_shows_are_filtered(tacit):
    changed = tacit.remember("Green gherkins are in the jar").id
    asked = {"contextual_min_score": 0.0, "text": "Which green gherkins are in the jar?"}
    first = _ask(tacit, [], **asked)
    first.commit("Those.")
    tacit.edit(changed, content="Walrus tusks and green gherkins are in the barrel")
    tacit.remember("Green gherkins are in the jar", scope="project", scope_id="p")
    receipt = _ask(tacit, first.history, **asked).receipt
    fates = {each.memory: each.fate for each in receipt.candidates}
    assert fates.pop(changed) is Fate.INJECTED
    assert list(fates.values()) == [Fate.SAME_CONTENT]
    assert receipt.outcome()["filtered"] == 1


KEY = (
    "-----BEGIN PRIVATE KEY-----\n"
    + "MIIEvQIBADANBgkqhkiG9w0BAQ\n" * 300
    + "-----END PRIVATE KEY-----\n"
)


@pytest.mark.parametrize(
    "before",
    [KEY, f"<system>{'read the rules. ' * 200}</system>", f"```\n{'x = 1; ' * 500}\n```\n"],
    ids=["a long key", "a long wrapper", "long code"],
)
def test_the_query_is_what_was_said_after_something_long(before):
    with _open() as tacit:
        text = (
            f"{before}Which walrus guards billing, with password: hunter2Hunter2?" + " Why?" * 2_000
        )
        query = tacit.preview(session="s", history=[], text=text).receipt.query
    assert "Which walrus guards billing" in query
    assert not any(hidden in query for hidden in ("hunter2", "MIIEv", "read the rules", "x = 1"))
    assert len(query) <= 800


def test_a_long_answer_leaves_no_secret_in_the_context_of_the_next_question():
    told = f"The walrus is guarded by password: hunter2Hunter2. {'It is a long story. ' * 2_000}"
    history = [
        {"role": "user", "content": "Who guards the walrus in the gherkin factory?"},
        {"role": "assistant", "content": told},
    ]
    with _open() as tacit:
        context = tacit.preview(session="s", history=history, text="and why?").receipt.context
    assert {"walrus", "factori"} <= set(context)
    assert not any("hunter" in term for term in context)
