"""What the network of authorship is fitted to, and its fitting."""

import json
import tomllib
from collections import Counter

import numpy as np
import pytest
from tools.authorship import __main__ as commands
from tools.authorship.examples import (
    DATA,
    DEVELOPMENT,
    WRITERS,
    LabelledMessage,
    load_in_a_row,
    load_two_messages,
    load_written,
    read_messages,
)
from tools.authorship.fitting import (
    MessageBatch,
    ReadMessage,
    draw_weights,
    find_loss,
    find_slopes,
    fit_weights,
)

from tacit.embedding.minilm.model_files import AUTHORSHIP_WEIGHTS, EXCHANGE_WEIGHTS, FITTED_TO
from tacit.evals.corpus import SetHalf, load_entries

INPUTS = 8


def _make_messages(count, seed=0):
    """Messages whose tokens lean to one side if they are somebody else's."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        length, is_foreign = int(rng.integers(3, 9)), number % 2 == 0
        states = rng.normal(size=(length, INPUTS)).astype(np.float32)
        states[:, 0] += 3 if is_foreign else -3
        owners = np.full(length, int(is_foreign), np.int8)
        owners[[0, -1]] = -1
        made.append(ReadMessage(states, owners, is_foreign))
    return made


@pytest.mark.parametrize("name", WRITERS)
def test_each_message_is_told_apart_and_holds_the_sentences_that_are_labelled(name):
    messages = load_written(name)
    assert len({each.text for each in messages}) == len(messages)
    for message in messages:
        assert message.foreign or message.own
        for sentence in (*message.foreign, *message.own):
            assert sentence in message.text


def test_nothing_that_is_fitted_is_held_out_or_given_by_two_writers():
    held = {each["text"] for each in load_entries("authorship", SetHalf.HELD)}
    written = Counter(each.text for name in (*WRITERS, DEVELOPMENT) for each in load_written(name))
    assert held.isdisjoint(written)
    assert set(written.values()) == {1}


def test_no_sentence_of_others_in_the_held_half_is_fitted():
    held = {said for each in load_entries("authorship", SetHalf.HELD) for said in each["foreign"]}
    written = [each for name in WRITERS for each in load_written(name)]
    assert held.isdisjoint(said for each in written for said in each.foreign)


def test_the_numbers_in_the_description_are_those_of_the_data():
    told = (DATA.parent / "__init__.py").read_text("utf-8")
    messages = [each for name in WRITERS for each in load_written(name)]
    foreign = sum(not each.is_own for each in messages)
    files = [(DATA / f"{name}.jsonl").read_text("utf-8") for name in WRITERS]
    lines = [line for file in files for line in file.splitlines()]
    languages = Counter(json.loads(line)["lang"] for line in lines)
    numbers = [len(messages), foreign, len(messages) - foreign, *languages.values()]
    for number in numbers:
        assert f"{number:,}" in told


def test_each_text_of_two_messages_is_the_person_s_and_another_s_by_what_stands_beside_it():
    table = tomllib.loads((DATA / "two_messages.toml").read_text("utf-8"))
    for parts in table.values():
        for written in parts.values():
            lines = written.strip().split("\n")
            assert len(set(lines)) == len(lines)
    foreign, own, alone = Counter(), Counter(), Counter()
    for each in load_two_messages():
        (said,) = (*each.foreign, *each.own)
        assert said in each.text.split("\n")
        (alone if said == each.text else own if each.is_own else foreign)[said] += 1
    texts = [text for each in table.values() for text in each["texts"].strip().split("\n")]
    assert set(foreign) == set(own) == set(alone) == set(texts)
    assert set(foreign.values()) == set(own.values()) == {7}


def test_messages_in_a_row_keep_their_owners():
    found = load_in_a_row()
    assert 0.7 < sum(each.is_own for each in found) / len(found) < 0.95
    for each in found:
        assert "\n" in each.text
        assert all(said in each.text for said in (*each.foreign, *each.own))
    mixed = [each for each in found if not each.is_own]
    places = {each.text.find(each.foreign[0]) < len(each.text) / 2 for each in mixed}
    assert places == {True, False}


def test_nothing_in_two_messages_is_held_out():
    held = {each["text"] for each in load_entries("authorship", SetHalf.HELD)}
    told = (*load_two_messages(), *load_in_a_row())
    assert held.isdisjoint(line for each in told for line in (each.text, *each.text.split("\n")))


def test_slopes_are_those_of_the_loss():
    rng = np.random.default_rng(3)
    batch = MessageBatch.of(_make_messages(4))
    weights = {name: each.astype(np.float64) for name, each in draw_weights(INPUTS, 8, rng).items()}
    slopes = find_slopes(weights, batch, {})
    for name, slope in slopes.items():
        place = tuple(int(rng.integers(size)) for size in weights[name].shape)
        losses = []
        for step in (1e-4, -1e-4):
            moved = weights[name].copy()
            moved[place] += step
            losses.append(find_loss(weights | {name: moved}, batch))
        assert slope[place] == pytest.approx((losses[0] - losses[1]) / 2e-4, rel=0.02, abs=1e-5)


def test_fitted_weights_tell_messages_apart_that_they_were_not_fitted_to():
    weights = fit_weights(_make_messages(128), width=8, epochs=20)
    others = _make_messages(40, seed=1)
    likelihoods = commands.find_likelihoods(weights, others)
    assert ((likelihoods > 0.5) == [each.is_foreign for each in others]).mean() > 0.9


def test_fitting_gives_the_same_weights_each_time():
    one, other = (fit_weights(_make_messages(64), width=8, epochs=2) for _ in range(2))
    assert all((one[name] == other[name]).all() for name in one)


def test_padding_changes_nothing_of_a_message():
    weights = draw_weights(INPUTS, 8, np.random.default_rng(0))
    short, long = sorted(_make_messages(20), key=lambda each: len(each.states))[::19]
    alone = find_loss(weights, MessageBatch.of([short]))
    other = find_loss(weights, MessageBatch.of([long]))
    together = find_loss(weights, MessageBatch.of([short, long]))
    assert together == pytest.approx((alone + other) / 2, rel=1e-4)


def test_tokens_are_labelled_with_whose_sentence_they_are_in():
    text = "My boss says: never be late. I live in Leeds."
    message = LabelledMessage(text, ["never be late."], ["I live in Leeds."])
    own = LabelledMessage("I live in Leeds.", (), ())
    mixed, alone = read_messages([message, own])
    owners = mixed.owners.tolist()
    assert (owners[0], owners[-1], owners[1]) == (-1, -1, -1)
    assert (owners.count(1), owners.count(0)) == (4, 5)
    assert set(alone.owners.tolist()[1:-1]) == {0}
    assert (mixed.is_foreign, alone.is_foreign) == (True, False)


@pytest.mark.parametrize("file", [AUTHORSHIP_WEIGHTS, EXCHANGE_WEIGHTS])
def test_weights_are_saved_as_the_package_has_them(tmp_path, file):
    with np.load(file) as packed:
        held = {name: packed[name] for name in packed.files if name != FITTED_TO}
    commands.save_weights(tmp_path / "weights.npz", held)
    with np.load(tmp_path / "weights.npz") as saved:
        assert set(saved.files) == {*held, FITTED_TO}
        assert set(held) == set(draw_weights(384, 64, np.random.default_rng(0)))
        assert all((saved[name] == held[name]).all() for name in held)


def test_shares_are_told_by_the_patterns_and_with_the_network():
    foreign, own = "The sign says never swim here alone.", "I never swim in the sea alone."
    messages = [LabelledMessage(foreign, [foreign], []), LabelledMessage(own, [], [own])]
    found = commands.summarize(messages, np.array([0.99, 0.1]))
    assert (found["with the network: taken"], found["with the network: lost"]) == (0, 0)
    missed = commands.summarize(messages, np.array([0.1, 0.99]))
    assert missed["with the network: lost"] == 1
    table = commands.make_threshold_table(messages, np.array([0.99, 0.1]))
    assert table.row_count == 4


def test_training_reads_what_was_written_and_what_is_people_s_own(monkeypatch):
    seen = []

    def read(messages):
        seen.extend(messages)
        return _make_messages(4)

    own = LabelledMessage("I have a cat", (), (), 0.5)
    monkeypatch.setattr(commands, "load_own", lambda: [own])
    monkeypatch.setattr(commands, "read_messages", read)
    weights = commands.train_weights()
    assert seen[-1] == own
    assert len(seen) == 1 + sum(len(load_written(name)) for name in (*WRITERS, DEVELOPMENT))
    assert set(weights) == set(draw_weights(INPUTS, 64, np.random.default_rng(0)))
