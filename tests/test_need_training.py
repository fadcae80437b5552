"""What the weights of need are fitted to, and their fitting."""

import json

import numpy as np
import pytest
from tools.need import __main__ as commands
from tools.need.examples import Example, gather_life, gather_store, load_examples, save_examples
from tools.need.fitting import find_likelihoods, fit_weights, leave_out_groups

from tacit.embedding.registry import shared_embedder
from tacit.evals.lives import read_lives
from tacit.search.need import NEED_WEIGHTS, MessageTraits, need_features

INPUTS = 8
_PLAIN = MessageTraits.of("hello", (), is_follow_up=False)


def _make_examples(count, group, seed=0, sign=1):
    """Examples that need memory if the first number of their vector is above zero."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        vector = rng.normal(size=INPUTS)
        features = np.array(need_features(0.5, _PLAIN))
        made.append(Example(group, bool(sign * vector[0] > 0), vector, features))
    return made


def test_fitted_weights_tell_messages_apart_that_they_were_not_fitted_to():
    weights = fit_weights(_make_examples(400, "ana"))
    others = _make_examples(100, "bo", seed=1)
    likely = find_likelihoods(weights, others)
    assert ((likely > 0.5) == [each.is_needed for each in others]).mean() > 0.9


def test_who_is_left_out_is_told_by_the_others_alone():
    groups = [_make_examples(150, "ana"), _make_examples(150, "bo", seed=1)]
    contrary = _make_examples(150, "cy", seed=2, sign=-1)
    likely = leave_out_groups([*groups[0], *groups[1], *contrary])
    told = (likely > 0.5) == [each.is_needed for each in (*groups[0], *groups[1], *contrary)]
    assert told[300:].mean() < 0.2


def test_examples_are_kept_as_they_were(tmp_path):
    examples = _make_examples(5, "ana")
    save_examples(tmp_path / "kept.npz", examples)
    for kept, each in zip(load_examples(tmp_path / "kept.npz"), examples, strict=True):
        assert (kept.group, kept.is_needed) == (each.group, each.is_needed)
        assert (kept.vector == each.vector).all()
        assert (kept.features == each.features).all()


def test_weights_are_saved_as_the_package_has_them(tmp_path):
    weights = fit_weights(_make_examples(50, "ana"))
    commands.save_weights(tmp_path / "weights.npz", weights)
    with np.load(tmp_path / "weights.npz") as saved, np.load(NEED_WEIGHTS) as packed:
        assert set(saved.files) == set(packed.files)
        assert packed["vector"].shape == (384,)
        assert saved["traits"].shape == packed["traits"].shape
        assert saved["traits"] == pytest.approx(weights.traits)


def test_shares_and_areas_are_those_of_people_who_were_left_out(monkeypatch):
    people = [each for n in range(10) for each in _make_examples(30, f"p{n}", seed=n)]
    stores = _make_examples(30, "platform", seed=99)
    table = commands.make_table([*people, *stores], leave_out_groups([*people, *stores]))
    silent = [float(cell) for cell in table.columns[1].cells]
    assert silent == sorted(silent)
    assert silent[2] > 0.9
    curve = commands.make_curve([*people, *stores])
    assert [*curve.columns[0].cells] == ["5", "10"]
    assert all(float(cell) > 0.95 for cell in curve.columns[1].cells)


@pytest.mark.encodes
def test_messages_to_a_store_need_memory_if_a_memory_answers_them():
    store = {
        "id": "tiny",
        "asked": "2026-03-01T10:00:00+00:00",
        "memories": [{"n": 1, "content": "My sister is allergic to nuts", "type": "fact"}],
        "prompts": {"talk": ["What a lovely morning it is"], "general": [], "other": []},
        "questions": [{"kind": "near", "text": "What is my sister allergic to?", "right": [1]}],
        "openers": [],
    }
    talk, question = gather_store(store, shared_embedder("minilm"))
    assert (talk.is_needed, question.is_needed) == (False, True)
    assert question.features[0] > talk.features[0]


@pytest.mark.encodes
def test_questions_of_a_life_need_memory_as_its_file_says(tmp_path):
    said = [{"user": "My kayak is painted turquoise.", "assistant": "Lovely."}]
    asked = {"project": None, "session_context": [], "stale": [], "gold": [], "also": []}
    person = {
        "id": "ines",
        "asked": "2026-06-01T09:00:00+00:00",
        "never": [],
        "sessions": [
            {"id": "s1", "date": "2026-03-02T09:00:00+00:00", "project": None, "messages": said}
        ],
        "questions": [
            asked
            | {
                "id": "q1",
                "kind": "fact",
                "text": "Which colour has my kayak?",
                "needs": [["turq"]],
            },
            asked | {"id": "q2", "kind": "none", "text": "Who built the first car?", "needs": []},
        ],
    }
    file = tmp_path / "lives.json"
    file.write_text(json.dumps({"format": "life 1", "personas": [person]}))
    (life,) = read_lives([file])
    question, general = gather_life(life, shared_embedder("minilm"))
    assert (question.group, question.is_needed, general.is_needed) == ("ines", True, False)
    assert question.features[0] > general.features[0]
