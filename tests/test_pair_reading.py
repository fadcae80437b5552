"""Two texts read together by the local model, and what is decided of it."""

import numpy as np
import pytest

from tacit.core.errors import ModelUnavailable
from tacit.embedding.minilm.pair_reader import SharedPairReader
from tacit.statements.decision import OTHER_THINGS, SAY_THE_SAME
from tacit.statements.judge import StatementJudge
from tacit.statements.pair_reading import PAIR_RELATIONS
from tests.support import FixedPairReader

REPLACED = [
    ("We use LaunchDarkly for feature flags", "we ditched launchdarkly, flags are env vars now"),
    ("Standup is at 10:00", "can you move my reminder? standup is at 9:30 now"),
    ("I play the cello", "I gave up the cello, what else is good for my hands?"),
]
BOTH_HOLD = [
    ("Deploys need 2 approvals", "The kitchen needs 2 new chairs"),
    ("Mum's birthday is 4 May", "Dad's birthday is 9 November"),
    ("I'm allergic to peanuts", "I'm allergic to penicillin too"),
    ("User lives in Malmö", "User's parents moved to Alicante"),
]


@pytest.fixture(scope="module")
def reader():
    return SharedPairReader()


def test_a_correction_in_other_words_replaces_what_was_said(reader):
    found = StatementJudge(reader).compare(REPLACED)
    assert [each.is_replaced for each in found] == [True] * len(REPLACED)


def test_statements_that_both_hold_replace_nothing(reader):
    found = StatementJudge(reader).compare(BOTH_HOLD)
    assert not any(each.is_replaced for each in found)


def test_the_relations_of_a_pair_are_shares_of_one(reader):
    shares = reader.read_pairs([*REPLACED, *BOTH_HOLD])
    assert shares.shape == (len(REPLACED) + len(BOTH_HOLD), len(PAIR_RELATIONS))
    assert shares.sum(axis=1) == pytest.approx(1.0, abs=1e-5)


def test_what_is_read_beside_it_changes_nothing_of_a_pair(reader):
    alone = [reader.read_pairs([pair])[0].tolist() for pair in REPLACED]
    assert reader.read_pairs([*BOTH_HOLD, *REPLACED])[len(BOTH_HOLD) :].tolist() == alone


def test_the_order_of_two_statements_matters(reader):
    old, new = "I play the cello", "I gave up the cello last year"
    judge = StatementJudge(reader)
    assert judge.compare([(old, new)])[0].is_replaced
    assert not judge.compare([(new, "I was thinking of playing the cello again")])[0].is_replaced


def test_the_same_words_are_the_same_without_a_model():
    (found,) = StatementJudge().compare([("I live in Porto.", "i live in Porto")])
    assert found.reason == SAY_THE_SAME
    assert not found.by_model


FORMAL = ("Billing runs on MySQL", "Billing runs on PostgreSQL")


def test_without_a_model_structure_alone_decides():
    said = ("My sister lives in Turin", "visiting my sister in Lyon, she moved there in spring")
    formal, in_other_words = StatementJudge().compare([FORMAL, said])
    assert formal.is_replaced
    assert not in_other_words.is_replaced


class _Missing:
    """A model that is not to be had."""

    def read_pairs(self, pairs):
        raise ModelUnavailable("no network")


def test_a_model_that_cannot_be_had_leaves_structure():
    (found,) = StatementJudge(_Missing()).compare([FORMAL])
    assert found.is_replaced
    assert not found.by_model


class _MissingOnce(_Missing):
    """A model that is to be had from the second time on."""

    is_missing = True

    def read_pairs(self, pairs):
        if self.is_missing:
            self.is_missing = False
            return super().read_pairs(pairs)
        return FixedPairReader(0.9).read_pairs(pairs)


def test_what_was_decided_while_the_model_was_missing_is_decided_again():
    said = ("My sister lives in Turin", "visiting my sister in Lyon, she moved there in spring")
    judge = StatementJudge(_MissingOnce())
    assert [judge.compare([said])[0].is_replaced for _ in range(2)] == [False, True]


def test_structure_counts_beside_a_model_unless_that_objects():
    doubting, objecting = (
        StatementJudge(FixedPairReader(each)).compare([FORMAL]) for each in (0.45, 0.3)
    )
    assert doubting[0].is_replaced
    assert not objecting[0].is_replaced


def test_statements_without_a_word_in_common_are_never_doubtful():
    apart, alike = ("I'm vegetarian", "we got a dog"), ("I have a dog", "we got a dog")
    found = StatementJudge(FixedPairReader(0.6)).compare([apart, alike])
    assert [each.is_conflict for each in found] == [False, True]


class _Listed:
    """A model that knows which pairs replace."""

    def __init__(self, *replaced):
        self.likelihoods = dict.fromkeys(replaced, 0.9)

    def read_pairs(self, pairs):
        return np.array(
            [FixedPairReader(self.likelihoods.get(pair, 0.05)).shares for pair in pairs], np.float32
        )


def test_news_about_one_clause_puts_a_text_in_doubt_and_does_not_replace_it():
    new = "I sold the boat"
    judge = StatementJudge(_Listed(("I have a boat", new)))
    (found,) = judge.compare([("I live in Porto, and I have a boat", new)])
    assert (found.is_replaced, found.is_conflict, found.in_part) == (False, True, True)


def test_clauses_that_share_nothing_with_a_later_text_are_not_read():
    counting = _Counting(FixedPairReader(0.05))
    StatementJudge(counting).compare([("I live in Porto, and I have a boat", "I sold the boat")])
    assert counting.count == 2


class _Counting:
    """Counts the pairs that it reads."""

    def __init__(self, reader):
        self.reader, self.count = reader, 0

    def read_pairs(self, pairs):
        self.count += len(pairs)
        return self.reader.read_pairs(pairs)


def test_a_pair_that_was_compared_is_not_read_again(reader):
    counting = _Counting(reader)
    judge = StatementJudge(counting)
    first = judge.compare([REPLACED[0], REPLACED[0], BOTH_HOLD[0]])
    assert judge.compare([BOTH_HOLD[0], REPLACED[0]]) == [first[2], first[0]]
    assert counting.count == 2


def test_facts_about_different_named_things_are_apart_whatever_the_model_says(reader):
    pairs = [
        ("The capital of Germany is Berlin.", "Germany is located in the continent of Africa."),
        (
            "Nate Robinson plays the position of flanker.",
            "Nick Rimando plays the position of back.",
        ),
    ]
    assert not any(each.by_model for each in StatementJudge(reader).compare(pairs))


def test_statements_need_no_word_in_common(reader):
    changed = [
        ("I'm vegetarian", "I started eating meat again"),
        ("I live in Lisbon", "We've just moved to Madrid"),
    ]
    apart = ("Our brand colour is dark blue", "Hamid left, so releases are Jule now")
    found = StatementJudge(reader).compare([*changed, apart])
    assert [each.is_replaced for each in found] == [True, True, False]
    assert found[-1].reason == OTHER_THINGS


@pytest.mark.parametrize(
    "said",
    [
        "ok, standup went well, thanks a lot",
        "standup was endless today",
        "draft my standup notes",
    ],
)
def test_what_only_comes_up_again_is_not_changed(reader, said):
    (found,) = StatementJudge(reader).compare([("Our standup is at 9:30", said)])
    assert not found.is_replaced


def test_what_was_dropped_and_is_used_again_is_followed_both_ways(reader):
    used, dropped = "We'll go with LaunchDarkly", "We dropped LaunchDarkly"
    found = StatementJudge(reader).compare([(used, dropped), (dropped, used)])
    assert all(each.is_replaced for each in found)
