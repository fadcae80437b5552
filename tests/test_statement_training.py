"""What the table of a statement's worth is made of: its messages, its examples, its fitting."""

import numpy as np
import pytest
from tools.statement_worth import __main__ as commands
from tools.statement_worth.examples import (
    ASIDE,
    DATA,
    TRAINED,
    StatementExample,
    find_worth,
    load_messages,
    make_bare_examples,
    make_examples,
)
from tools.statement_worth.fitting import fit_weights

from tacit.core.kinds import MemoryType
from tacit.embedding.minilm.model_files import STATEMENT_WEIGHTS
from tacit.evals.corpus import SetHalf, load_entries

NOTES = [{"says": ["Ann", "cello"], "types": ["fact"]}]


@pytest.mark.parametrize("name", [*TRAINED, ASIDE])
def test_every_message_is_told_apart_and_has_the_words_of_its_notes(name):
    messages = load_messages(name)
    assert len({each["id"] for each in messages}) == len(messages)
    assert len({each["text"] for each in messages}) == len(messages)
    for message in messages:
        for note in message["memories"]:
            assert {*note["types"]} <= {str(type) for type in MemoryType}, message
            assert all(word in message["text"] for word in note["says"]), message


def test_nothing_that_is_trained_on_or_chosen_with_is_held_out():
    ours = {each["text"] for name in (*TRAINED, ASIDE) for each in load_messages(name)}
    sets = [load_entries(name, SetHalf.HELD) for name in ("messages", "chat")]
    held = {each["text"] for messages in sets for each in messages}
    trained = {each["text"] for name in TRAINED for each in load_messages(name)}
    assert ours.isdisjoint(held)
    assert trained.isdisjoint(each["text"] for each in load_messages(ASIDE))


def test_the_numbers_in_the_description_are_those_of_the_data():
    told = (DATA.parent / "__init__.py").read_text()
    counts = [len(load_messages(name)) for name in TRAINED]
    for number in (sum(counts), *counts, len(load_messages(ASIDE))):
        assert f"{number:,}" in told


@pytest.mark.parametrize(
    ("statement", "worth"),
    [("Ann plays the cello", True), ("Ann is late", False), ("the CELLO is out of tune", None)],
)
def test_a_statement_with_all_words_of_a_note_is_worth_it_and_one_with_some_is_left_out(
    statement, worth
):
    assert find_worth(statement, NOTES) is worth


def test_examples_are_what_the_rules_take_and_the_clauses():
    message = {"text": "My sister plays the cello. it rains a lot here", "memories": []}
    assert [(each.statement, each.by_rule) for each in make_examples(message)] == [
        ("My sister plays the cello", True),
        ("it rains a lot here", False),
    ]


def test_bare_statements_are_drawn_the_same_way_each_time():
    drawn = make_bare_examples(20)
    assert drawn == make_bare_examples(20)
    assert [each.is_worth for each in drawn] == [True] * 40 + [False] * 20


def test_fitted_weights_tell_examples_apart_and_stay_small_under_a_penalty():
    rows = np.random.default_rng(0).normal(size=(400, 5))
    is_worth = rows[:, 0] - rows[:, 1] > 0
    free, kept_small = (fit_weights(rows, is_worth, penalty) for penalty in (1.0, 1_000.0))
    right = (rows @ free.weights + free.bias > 0) == is_worth
    assert right.mean() > 0.97
    assert np.abs(kept_small.weights).max() < np.abs(free.weights).max() / 5


def test_a_table_is_saved_as_the_package_has_it_and_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(commands, "describe", lambda examples: np.ones((len(examples), 1536)))
    table = commands.load_table(STATEMENT_WEIGHTS)
    assert table.weights.shape == (1536,)
    commands.save_table(tmp_path / "table.npz", table)
    assert (commands.load_table(tmp_path / "table.npz").weights == table.weights).all()
    commands.show_table(table)
    assert "taken by rules: of" in capsys.readouterr().out


def test_training_reads_the_messages_and_fits(monkeypatch):
    messages = [{"text": "I have a cat", "memories": []}]
    monkeypatch.setattr(commands, "load_trained", lambda: messages)
    bare = [StatementExample("I have a dog", "I have a dog", is_worth=True, by_rule=False)]
    monkeypatch.setattr(commands, "make_bare_examples", lambda: bare)
    seen = []

    def describe(examples):
        seen.extend(examples)
        return np.array([[float(each.is_worth)] for each in examples])

    monkeypatch.setattr(commands, "describe", describe)
    table = commands.train_table()
    assert {each.statement for each in seen} == {"I have a cat", "I have a dog"}
    assert table.weights[0] > 0
