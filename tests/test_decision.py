"""What a later statement of a person does to an earlier one, by who said both, and where."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tacit.core.episodes import to_episode_id
from tacit.core.kinds import Actor, Scope
from tacit.statements.decision import Outcome, decide, decide_value
from tests.support import START, make_memory, next_id

SURE, DOUBTFUL = 0.83, 0.6


def _learned(content, **fields):
    return replace(make_memory(content, **fields), explicit=False)


def _written(content, **fields):
    return make_memory(content, **fields)


def _said(content):
    return _learned(content, id=to_episode_id(next_id()))


OLD, NEW = "The standup is at 10:00", "The standup is at 9:30 now"
SEVERAL = "The standup is at 10:00. Theo collects model trains."


@pytest.mark.parametrize(
    ("old", "new", "likelihood", "likeness", "outcome"),
    [
        (_learned(OLD), _learned(NEW), SURE, 0.9, Outcome.REPLACED),
        (_learned(OLD), _learned(NEW), SURE, 0.3, Outcome.CONFLICT),
        (_learned(OLD), _learned(NEW), DOUBTFUL, 0.9, Outcome.CONFLICT),
        (_learned(OLD), _learned(NEW), 0.4, 0.9, Outcome.NOTHING),
        (_learned(SEVERAL), _learned(NEW), SURE, 0.9, Outcome.CONFLICT),
        (_written(OLD), _learned(NEW), SURE, 0.9, Outcome.REVIEW),
        (_written(OLD), _written(NEW), SURE, 0.9, Outcome.REVIEW),
        (_written(OLD), _written(NEW), 0.9, 0.9, Outcome.REPLACED),
        (_said(OLD), _said(NEW), SURE, 0.9, Outcome.REPLACED),
        (_said(OLD), _said(NEW), DOUBTFUL, 0.9, Outcome.NOTHING),
        (_said(OLD), _said(NEW), 0.7, 0.9, Outcome.CONFLICT),
        (_said(OLD), _said(NEW), 0.7, 0.3, Outcome.NOTHING),
    ],
)
def test_who_said_it_decides_what_likely_words_do(old, new, likelihood, likeness, outcome):
    verdict = decide(old, new, likelihood, likeness)
    assert verdict.outcome is outcome
    assert verdict.likelihood == likelihood


def test_words_about_no_project_do_not_replace_what_holds_in_one():
    there = _learned(OLD, scope=Scope.PROJECT, scope_id="shop")
    here = _learned(NEW, scope=Scope.PROJECT, scope_id="shop")
    assert decide(there, _learned(NEW), 0.95).is_conflict
    assert decide(there, here, 0.95).is_replaced
    assert decide(_learned(OLD), here, 0.95).is_replaced


@pytest.mark.parametrize(
    ("fields", "by", "outcome"),
    [
        ({}, Actor.USER, Outcome.REPLACED),
        ({}, Actor.AGENT, Outcome.REVIEW),
        ({"confidence": 0.2}, Actor.USER, Outcome.CONFLICT),
    ],
)
def test_a_value_of_a_key_is_replaced_by_one_that_is_as_sure(fields, by, outcome):
    key = {"key": "team.standup"}
    old = _written(OLD, **key)
    new = replace(_written(NEW, **key, **fields), updated_at=START + timedelta(days=1))
    assert decide_value(old, new, by) is outcome


def test_nobody_replaces_what_another_says_of_themselves():
    shared = {"scope": Scope.PROJECT, "scope_id": "club", "key": "diet"}
    ann = _written("I'm allergic to nuts", origin={"author": "ann"}, **shared)
    bob = _written("I'm not allergic to nuts", origin={"author": "bob"}, **shared)
    assert decide_value(ann, bob, Actor.USER) is Outcome.CONFLICT
