"""Statements that only reading both together tells apart are listed as conflicts."""

import pytest

from tacit import FakeEmbedder, Relation, Status, Tacit
from tests.support import FixedPairReader, HandClock

pytestmark = [pytest.mark.encodes]

FLAGS, DROPPED = "We'll go with LaunchDarkly for feature flags", "We dropped LaunchDarkly"
GYM, NO_GYM = "I go to the gym on Mondays", "I quit the gym"


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as opened:
        yield opened


def _write(tacit, clock, *contents, **fields):
    written = []
    for content in contents:
        written.append(tacit.remember(content, **fields).id)
        clock.advance(days=1)
    return written


def _listed(tacit, **asked):
    return [{memory.content for memory in each.memories} for each in tacit.conflicts.list(**asked)]


def test_a_decision_and_its_end_are_a_conflict_though_they_share_one_word(tacit, clock):
    _write(tacit, clock, FLAGS, "The bakery opens at seven", DROPPED)
    (found,) = tacit.conflicts.list()
    assert [memory.content for memory in found.memories] == [FLAGS, DROPPED]
    assert found.about == "LaunchDarkly"


def test_statements_about_different_things_are_none(tacit, clock):
    _write(tacit, clock, FLAGS, "My sister plays the cello", "The cellar floods in spring")
    assert tacit.conflicts.list() == []


def test_what_is_written_after_a_list_is_compared_for_the_next(tacit, clock):
    _write(tacit, clock, FLAGS)
    assert _listed(tacit) == []
    _write(tacit, clock, DROPPED)
    assert _listed(tacit) == [{FLAGS, DROPPED}]


def test_resolving_it_replaces_the_earlier_words(tacit, clock):
    old, new = _write(tacit, clock, FLAGS, DROPPED)
    assert tacit.conflicts.list()
    (written,) = tacit.conflicts.resolve(keep=new, supersede=[old])
    assert (written.status, tacit.conflicts.list()) == (Status.SUPERSEDED, [])


def test_once_both_are_right_it_is_listed_no_more(tacit, clock):
    ids = _write(tacit, clock, FLAGS, DROPPED)
    assert tacit.conflicts.list()
    tacit.conflicts.resolve(keep_both=ids)
    assert tacit.conflicts.list() == []
    tacit.edit(ids[1], content="We dropped LaunchDarkly in May")
    assert tacit.conflicts.list() == []


def test_what_a_turn_flags_can_be_resolved_though_nobody_listed_it(tacit, clock):
    old, new = _write(tacit, clock, FLAGS, DROPPED)
    (written,) = tacit.conflicts.resolve(keep=new, supersede=[old])
    assert written.status is Status.SUPERSEDED


def test_once_both_are_right_turns_show_them_without_a_remark(tacit, clock):
    ids = _write(tacit, clock, "Ann owns the parser", "Ben maintains the parser")
    tacit.learn()
    asked = {"session": "s", "text": "Who owns the parser?", "history": []}
    shown = tacit.preview(**asked)
    assert shown.receipt.conflicts
    tacit.conflicts.resolve(keep_both=ids)
    shown = tacit.preview(**asked)
    assert not shown.receipt.conflicts
    assert {each.memory for each in shown.receipt.injected} == set(ids)


def test_other_words_end_it(tacit, clock):
    _, new = _write(tacit, clock, FLAGS, DROPPED)
    assert tacit.conflicts.list()
    tacit.edit(new, content="We dropped the piano lessons")
    assert tacit.conflicts.list() == []


def test_a_forgotten_side_ends_it_until_it_is_back(tacit, clock):
    _, new = _write(tacit, clock, FLAGS, DROPPED)
    assert tacit.conflicts.list()
    tacit.forget(new)
    assert tacit.conflicts.list() == []
    tacit.restore(new)
    assert _listed(tacit) == [{FLAGS, DROPPED}]


def test_what_a_person_links_as_contradicting_is_listed_whatever_the_words(tacit, clock):
    one, other = _write(tacit, clock, "The vault has two doors", "My sister plays the cello")
    assert tacit.conflicts.list() == []
    tacit.memories.link(one, other, Relation.CONTRADICTS)
    (found,) = tacit.conflicts.list()
    assert found.recommended.keep is None
    tacit.edit(other, content="My sister plays the viola")
    assert len(tacit.conflicts.list()) == 1


@pytest.mark.parametrize(
    "fields", [{"scope_id": "ben"}, {"by": "agent"}, {"type": "event"}], ids=str
)
def test_words_of_others_and_what_once_happened_are_not_compared(tacit, clock, fields):
    _write(tacit, clock, FLAGS)
    _write(tacit, clock, DROPPED, **fields)
    assert tacit.conflicts.list() == []


def test_pages_go_on_after_a_pair_of_statements(tacit, clock):
    _write(tacit, clock, FLAGS, GYM, DROPPED, NO_GYM, "Billing runs on MySQL")
    tacit.remember("Billing runs on Oracle", by="operator")
    whole = [each.id for each in tacit.conflicts.list()]
    pages = [tacit.conflicts.list(limit=1)[0].id]
    while more := tacit.conflicts.list(limit=1, after=pages[-1]):
        pages.append(more[0].id)
    assert pages == whole
    assert len(pages) == 3


@pytest.mark.parametrize("decide", ["resolve", "keep"])
def test_deciding_it_answers_the_review_that_asks_the_same(tacit, clock, decide):
    written = tacit.remember("We use LaunchDarkly for feature flags", scope_id="ana").id
    clock.advance(days=1)
    said = "btw we ditched LaunchDarkly, feature flags are env vars now"
    with tacit.turn(session="s", text=said, user="ana", history=[]) as turn:
        turn.commit("Noted.")
    tacit.learn()
    assert [review.memory for review in tacit.reviews.list()] == [written]
    (found,) = tacit.conflicts.list()
    assert found.recommended.reason == "one was written, the other said later"
    learned = next(each.id for each in found.memories if each.id != written)
    if decide == "resolve":
        tacit.conflicts.resolve(keep=learned, supersede=[written])
    else:
        tacit.conflicts.resolve(keep_both=[written, learned])
    assert (list(tacit.reviews.list()), tacit.conflicts.list()) == ([], [])


def test_without_a_model_the_list_is_by_structure_alone(clock):
    with Tacit.open(":memory:", clock=clock, embedder="none") as tacit:
        _write(tacit, clock, FLAGS, DROPPED)
        assert tacit.conflicts.list() == []


def test_a_comparison_that_fails_takes_nothing_from_the_list(tacit, clock, monkeypatch):
    def fail(judge, pairs, **how):
        raise RuntimeError("out of memory")

    with monkeypatch.context() as patched:
        patched.setattr("tacit.statements.judge.StatementJudge.compare", fail)
        _write(tacit, clock, FLAGS, "Billing runs on MySQL", DROPPED)
        tacit.remember("Billing runs on Oracle", by="operator")
        assert _listed(tacit) == [{"Billing runs on MySQL", "Billing runs on Oracle"}]
    assert {FLAGS, DROPPED} in _listed(tacit)


@pytest.mark.parametrize(("likelihood", "is_clear"), [(0.7951, False), (0.8051, True)])
def test_what_is_not_clear_is_not_recommended(monkeypatch, clock, likelihood, is_clear):
    FixedPairReader(likelihood).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder=FakeEmbedder()) as tacit:
        _, later = _write(
            tacit, clock, "We use LaunchDarkly daily", "We dropped LaunchDarkly daily"
        )
        (found,) = tacit.conflicts.list()
    assert found.recommended.keep == (later if is_clear else None)
