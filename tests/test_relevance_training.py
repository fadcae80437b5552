"""What the weights of relevance are fitted to, their fitting, and what is compared."""

import numpy as np
import pytest
from tools.relevance import __main__ as commands
from tools.relevance.examples import Example, gather_store, load_examples, save_examples
from tools.relevance.fitting import (
    SHIPPED,
    estimate,
    find_floor,
    find_shares,
    fit_weights,
    leave_out_groups,
)

from tacit.embedding.registry import shared_embedder
from tacit.search.ranking import QueryOdds, estimate_relevance_by_tokens, find_token_signs

TEXTS = 12


def _make_examples(count, group, seed=0, sign=1.0):
    """Messages of which every second needs something, which is nearer, or farther if asked so."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        signs = np.column_stack([rng.normal(scale=0.1, size=(TEXTS, 3)), np.ones((TEXTS, 3))])
        is_relevant = np.zeros(TEXTS, np.bool_)
        if number % 2:
            is_relevant[0] = True
            signs[0, :2] += 0.4 * sign
        made.append(Example(group, bool(number % 2), signs, np.zeros(TEXTS), is_relevant))
    return made


def test_fitted_weights_find_what_is_relevant_to_messages_they_were_not_fitted_to():
    weights = fit_weights(_make_examples(200, "ana"))
    others = _make_examples(60, "bo", seed=1)
    found = [estimate(each, weights) for each in others]
    floor = find_floor(others, found, 0.1)
    shares = find_shares(others, found, floor)
    assert shares.false == pytest.approx(0.1, abs=0.04)
    assert shares.right > 0.9
    assert 0.8 < shares.lines < 2


def test_who_is_left_out_is_told_by_the_others_alone():
    usual, contrary = _make_examples(200, "ana"), _make_examples(60, "cy", seed=2, sign=-1.0)
    found = leave_out_groups([*usual, *contrary])[len(usual) :]
    shares = find_shares(contrary, found, find_floor(contrary, found, 0.1))
    assert shares.right < 0.1


def test_examples_are_kept_as_they_were(tmp_path):
    examples = _make_examples(5, "ana")
    save_examples(tmp_path / "kept.npz", examples)
    for kept, each in zip(load_examples(tmp_path / "kept.npz"), examples, strict=True):
        assert (kept.group, kept.is_needed) == (each.group, each.is_needed)
        assert (kept.signs == each.signs).all()
        assert (kept.fixed == each.fixed).all()
        assert (kept.is_relevant == each.is_relevant).all()


def test_the_weights_of_the_package_give_the_relevance_of_a_search():
    odds = QueryOdds(memories=40, excess=0.1, is_own=True)
    given = (np.array([0.5, 0.2]), np.array([0.6, 0.1]), np.array([0.7, 0.0]), 3.0, odds)
    signs = np.column_stack(np.broadcast_arrays(*find_token_signs(*given)))
    example = Example("ana", True, signs, np.zeros(2), np.zeros(2, np.bool_))
    wanted = estimate_relevance_by_tokens(*given)
    np.testing.assert_allclose(estimate(example, SHIPPED), wanted)


def test_both_weights_are_shown_at_floors_that_as_many_messages_pass():
    examples = [each for n in range(4) for each in _make_examples(40, f"s{n}", seed=n)]
    table = commands.make_table(examples)
    assert [*table.columns[0].cells][:2] == ["package", "fitted to the others"]
    false = [float(cell) for cell in table.columns[1].cells]
    assert false[0] == pytest.approx(false[1], abs=0.03)
    assert false == sorted(false)


@pytest.mark.encodes
def test_a_memory_is_relevant_to_the_messages_that_it_answers():
    store = {
        "id": "tiny",
        "asked": "2026-03-01T10:00:00+00:00",
        "memories": [
            {"n": 1, "content": "My sister is allergic to nuts", "type": "fact"},
            {"n": 2, "content": "My sister keeps two cats", "type": "fact"},
        ],
        "prompts": {"talk": ["What a lovely morning it is"], "general": [], "other": []},
        "questions": [{"kind": "near", "text": "What is my sister allergic to?", "right": [1]}],
        "openers": [],
    }
    found = list(gather_store(store, shared_embedder("minilm")))
    question = next(each for each in found if each.is_needed)
    (right,) = question.signs[question.is_relevant]
    others = question.signs[~question.is_relevant]
    assert len(others)
    assert (right[0] > others[:, 0]).all()
    assert not any(each.is_relevant.any() for each in found if not each.is_needed)
