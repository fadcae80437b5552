"""Generations: one model's vectors serve, others are made beside them, and a switch is whole."""

import pytest

from tacit.core.vectors import EmbeddingModel, Generation, GenerationState, TextVectors
from tacit.store.generations import (
    begin_generation,
    drop_other_generations,
    filling_model,
    give_up_filling,
    put_vectors,
    report_generations,
    serve_previous,
    serving_model,
    switch_generation,
)
from tests.support import CountedIds, make_memory

OLD = EmbeddingModel("words", 2, "1")
NEW = EmbeddingModel("words", 2, "2")
THIRD = EmbeddingModel("signs", 3, "1")
TOKENS = EmbeddingModel("tokens", 8, "1")
SERVING, FILLING, PREVIOUS, DROPPED = GenerationState


@pytest.fixture
def ids(store):
    """Three memories with vectors of the first model."""
    new_id = CountedIds()
    memories = [make_memory(f"note {number}", new_id()) for number in range(3)]
    with store.write("default") as unit:
        for memory in memories:
            unit.memories.insert(memory)
            unit.texts.put(memory.id, ["note"])
            put_vectors(unit, memory.id, TextVectors(OLD, [1, 0]))
    return [memory.id for memory in memories]


def _read(store, ask):
    with store.read("default") as unit:
        return ask(unit)


def _write(store, change):
    with store.write("default") as unit:
        return change(unit)


def _fill(store, ids, model=NEW):
    for id in ids:
        _write(store, lambda unit, id=id: put_vectors(unit, id, TextVectors(model, [0, 1])))


def _states(store):
    return {each.model: each.state for each in _read(store, lambda unit: unit.generations.all())}


def test_the_first_vectors_of_a_workspace_decide_what_serves_it(store, ids):
    assert _states(store) == {OLD: SERVING}
    assert _read(store, serving_model) == OLD
    with store.read("another") as unit:
        assert unit.generations.all() == []


def test_a_fill_is_beside_what_serves_and_the_switch_waits_for_the_last_vector(store, ids):
    assert _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    assert _states(store) == {OLD: SERVING, NEW: FILLING}
    _fill(store, ids[:2])
    assert not _write(store, lambda unit: switch_generation(unit, NEW))
    assert _read(store, serving_model) == OLD
    _fill(store, ids[2:])
    assert _write(store, lambda unit: switch_generation(unit, NEW))
    assert _states(store) == {OLD: PREVIOUS, NEW: SERVING}
    assert _read(store, filling_model) is None


def test_a_transaction_sees_the_generations_that_it_began_with(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _fill(store, ids)
    with store.read("default") as unit:
        assert unit.memories.known(ids) == set(ids)
        _write(store, lambda unit: switch_generation(unit, NEW))
        assert serving_model(unit) == OLD
        assert len(unit.vectors.get(ids, OLD)) == 3
    assert _read(store, serving_model) == NEW


def test_a_switch_that_fails_leaves_what_served(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _fill(store, ids)
    with pytest.raises(RuntimeError), store.write("default") as unit:
        switch_generation(unit, NEW)
        raise RuntimeError
    assert _states(store) == {OLD: SERVING, NEW: FILLING}


def test_the_previous_model_serves_again_at_once_and_then_the_other_one(store, ids):
    assert _write(store, serve_previous) is None
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _fill(store, ids)
    _write(store, lambda unit: switch_generation(unit, NEW))
    assert _write(store, serve_previous) == OLD
    assert _states(store) == {OLD: SERVING, NEW: PREVIOUS}
    assert _write(store, serve_previous) == NEW


def test_what_served_last_is_gone_back_to(store, ids):
    for model in (NEW, THIRD):
        _write(store, lambda unit, model=model: begin_generation(unit, model, is_asked=False))
        vector = [0] * (model.dims - 1) + [1]
        for id in ids:
            _write(store, lambda unit, id=id: unit.vectors.put(id, model, vector))  # noqa: B023
        assert _write(store, lambda unit, model=model: switch_generation(unit, model))
    assert _write(store, serve_previous) == NEW


def test_a_model_that_was_left_behind_begins_again_only_if_somebody_asks(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    assert _write(store, give_up_filling) == OLD
    assert _states(store) == {OLD: SERVING, NEW: DROPPED}
    assert not _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    assert _write(store, lambda unit: begin_generation(unit, NEW, is_asked=True))
    assert not _write(store, lambda unit: begin_generation(unit, OLD, is_asked=True))
    assert _states(store) == {OLD: SERVING, NEW: FILLING}


def test_a_third_model_takes_the_place_of_one_that_is_being_filled(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _write(store, lambda unit: begin_generation(unit, THIRD, is_asked=False))
    assert _states(store) == {OLD: SERVING, NEW: DROPPED, THIRD: FILLING}
    assert not _write(store, lambda unit: switch_generation(unit, NEW))


def test_vectors_of_a_generation_that_was_dropped_are_not_stored(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _write(store, give_up_filling)
    made = TextVectors(OLD, [1, 0], ((NEW, [0, 1]),))
    _write(store, lambda unit: put_vectors(unit, ids[0], made))
    assert _read(store, lambda unit: unit.vectors.get(ids, NEW)) == {}


def test_only_what_serves_or_is_filled_is_left_when_the_rest_is_dropped(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _fill(store, ids)
    _write(store, lambda unit: switch_generation(unit, NEW))
    for model in (TOKENS, OLD):
        _write(store, lambda unit, model=model: unit.token_codes.put(ids[0], model, b"x", ()))
    before = _read(store, lambda unit: unit.revision())
    assert drop_other_generations(store, "default", {TOKENS}) == 3
    assert _states(store) == {NEW: SERVING, OLD: DROPPED}
    assert _read(store, lambda unit: unit.vectors.models()) == [NEW]
    assert _read(store, lambda unit: unit.token_codes.models()) == [TOKENS]
    assert ids[0] in _read(store, lambda unit: unit.token_codes.missing(OLD, 9, before))
    assert _write(store, serve_previous) is None
    assert drop_other_generations(store, "default", {TOKENS}) == 0


def test_a_report_names_each_model_its_state_and_how_far_it_is(store, ids):
    _write(store, lambda unit: begin_generation(unit, NEW, is_asked=False))
    _fill(store, ids[:1])
    serving, filling = report_generations(store, "default")
    assert (serving.model, serving.revision, serving.state) == ("words", "1", SERVING)
    assert (serving.vectors, serving.texts) == (3, 3)
    assert (filling.revision, filling.state, filling.vectors) == ("2", FILLING, 1)


def test_a_generation_is_found_again_as_it_was_put(store, ids):
    put = Generation(THIRD, PREVIOUS, served=7)
    _write(store, lambda unit: unit.generations.put(put))
    assert put in _read(store, lambda unit: unit.generations.all())
