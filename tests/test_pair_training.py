"""What the model that reads two texts together is made of: its data, its pairs, its average."""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tools.pair_reading.__main__ import main
from tools.pair_reading.averaging import (
    average_updates,
    find_factors,
    load_updates,
    multiply_factors,
    save_updates,
)
from tools.pair_reading.pairs import (
    DATA,
    RELATIONS,
    WRITTEN,
    Attribute,
    LabelledPair,
    TrainingPairs,
    choose_from_life,
    double_repetitions,
    generate_pair,
    is_test_pair,
    read_attributes,
    read_chatter,
    read_lives,
    read_written_pairs,
    vary_pair,
)
from tools.pair_reading.runs import RANK

from tacit import evals
from tacit.embedding.minilm.model_files import PAIR_UPDATES, WIDTH
from tacit.embedding.pair_reading import PAIR_RELATIONS, PairRelation

LANGUAGES = {
    "mixed": {"en", "de", "fr", "es"},
    "talk_en": {"en"},
    "notes_en": {"en"},
    "facts_en": {"en"},
    "talk_de_fr_es": {"de", "fr", "es"},
    "notes_de_fr_es": {"de", "fr", "es"},
    "neighbours_en": {"en"},
    "mixed_de_fr_es": {"de", "fr", "es"},
    "mentions": {"en", "de", "fr", "es"},
}


def _rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _words(text):
    return tuple(re.findall(r"\w+", text.casefold()))


# The data


def test_every_file_of_pairs_is_read():
    assert {path.stem for path in DATA.glob("*.jsonl")} == {*WRITTEN, "attributes_en", "lives"}
    assert {pair.relation for pair in read_written_pairs()} == set(PAIR_RELATIONS)
    assert len(read_written_pairs()) == sum(len(_rows(DATA / f"{name}.jsonl")) for name in WRITTEN)


@pytest.mark.parametrize("name", WRITTEN)
def test_written_pairs_have_a_relation_and_the_language_of_their_file(name):
    rows = _rows(DATA / f"{name}.jsonl")
    assert {row["relation"] for row in rows} <= set(RELATIONS)
    assert {row["lang"] for row in rows} == LANGUAGES[name]
    for row in rows:
        assert set(row) == {"old", "new", "relation", "lang"}
        assert _words(row["old"])
        assert _words(row["new"])
        assert row["old"] != row["new"]


def test_no_pair_is_written_twice():
    counts = Counter((_words(pair.old), _words(pair.new)) for pair in read_written_pairs())
    assert [pair for pair, count in counts.items() if count > 1] == []


def test_no_pair_is_in_a_set_that_measures():
    written = read_written_pairs()
    pairs = {(_words(pair.old), _words(pair.new)) for pair in written}
    newer = {_words(pair.new) for pair in written}
    sets = sorted((Path(evals.__file__).parent / "sets").glob("*pairs_*.jsonl"))
    assert {path.name for path in sets} >= {"pairs_held.jsonl", "talk_pairs_held.jsonl"}
    for path in sets:
        measured = [(_words(row["old"]), _words(row["new"])) for row in _rows(path)]
        shared = sum((old, new) in pairs or (new, old) in pairs for old, new in measured)
        repeated = sum(new in newer for _, new in measured)
        assert (path.name, shared, repeated) == (
            path.name,
            0,
            0,
        )  # counts: held-out pairs stay unseen


def test_the_sizes_that_are_documented_are_those_of_the_data():
    languages = Counter(pair.language for pair in read_written_pairs())
    docs = (Path(__file__).parents[1] / "docs/conflicts.md").read_text(encoding="utf-8")
    names = {"en": "English", "de": "German", "fr": "French", "es": "Spanish"}
    for code, name in names.items():
        assert f"{name} {languages[code]:,}" in docs
    assert f"{languages.total():,} pairs" in docs
    assert f"{len(read_attributes())} attributes" in docs


def test_every_attribute_can_be_said_in_every_way():
    for each in read_attributes():
        assert each.subjects
        assert len(set(each.values)) >= 2
        ways = (each.states, each.changes, each.ends, each.not_now, each.near)
        assert all(ways)
        for way in (way for some in ways for way in some):
            left = way.replace("{S}", "").replace("{V}", "")
            assert not re.search(r"[{}]", left), way


def test_all_pairs_of_a_statement_are_set_aside_together():
    written = read_written_pairs()
    aside = [pair for pair in written if is_test_pair(pair)]
    assert 0.07 < len(aside) / len(written) < 0.1
    assert not {pair.old for pair in aside} & {p.old for p in written if not is_test_pair(p)}


# Making pairs


def test_the_same_seed_makes_the_same_pairs():
    written = read_written_pairs()

    def draw(seed):
        source = TrainingPairs(written, 0.5, Random(seed))
        return [source.draw() for _ in range(200)]

    assert draw(3) == draw(3)
    assert draw(3) != draw(4)


def _attribute(name, *, single):
    ways = {
        part: (f"{name} {part} {{S}} {{V}}",)
        for part in ("states", "changes", "ends", "not_now", "near")
    }
    return Attribute(subjects=("ann", "ben"), values=("1", "2"), single=single, **ways)


def _said(pair):
    """The attribute, way, subject and value of both texts of a pair."""
    return tuple(pair.old.split()), tuple(pair.new.split())


@pytest.mark.parametrize("single", [True, False])
def test_a_made_pair_says_what_its_relation_means(single):
    attributes, random = [_attribute(name, single=single) for name in ("home", "car")], Random(1)
    seen = set()
    for _ in range(1_000):
        pair = generate_pair(attributes, random)
        old, (about, way, subject, value) = _said(pair)
        same_thing = (about, subject) == (old[0], old[2])
        same_value = value == old[3]
        case = (pair.relation, way) if same_thing else (pair.relation, "another thing")
        seen.add(case)
        if pair.relation is PairRelation.UNRELATED:
            assert not same_thing or way == "near" or (way == "ends" and not same_value)
        else:
            assert same_thing
        if pair.relation is PairRelation.REPLACES:
            assert ("ends" in (old[1], way)) == same_value
            assert old[1] != way or way != "ends"
        if pair.relation is PairRelation.SAME:
            assert same_value
        if pair.relation is PairRelation.ADDS:
            assert not same_value
    expected = {PairRelation.UNREAL} if single else set()
    assert {relation for relation, _ in seen} == expected | {
        PairRelation.ADDS,
        PairRelation.REPLACES,
        PairRelation.SAME,
        PairRelation.UNRELATED,
    }


def test_what_ended_and_holds_again_replaces_its_end():
    attributes, random = [_attribute("home", single=True)], Random(4)
    pairs = [generate_pair(attributes, random) for _ in range(500)]
    after_an_end = [_said(pair) for pair in pairs if " ends " in pair.old]
    relations = [pair.relation for pair in pairs if " ends " in pair.old]
    assert after_an_end
    for (old, new), relation in zip(after_an_end, relations, strict=True):
        is_again = old[3] == new[3]
        assert relation is (PairRelation.REPLACES if is_again else PairRelation.ADDS)


def test_statements_of_one_life_leave_each_other_alone():
    lives, random = read_lives(), Random(5)
    pairs = [choose_from_life(lives, random) for _ in range(300)]
    for pair in pairs:
        assert any({pair.old, pair.new} <= set(life.statements) for life in lives)
        assert pair.relation is PairRelation.UNRELATED
        assert pair.old != pair.new
    assert {pair.language for pair in pairs} == {"en", "de", "fr", "es"}


@pytest.mark.parametrize(("share", "life_share"), [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)])
def test_shares_say_where_pairs_come_from(share, life_share):
    written = [LabelledPair("an old note", "a new note", PairRelation.REPLACES, "en")]
    said = {each.casefold() for life in read_lives() for each in life.statements}
    source = TrainingPairs(written, share, Random(6), life_share)
    for pair in (source.draw() for _ in range(60)):
        assert (pair.old.casefold() == "an old note") is (share == 1.0)
        assert (pair.old.casefold() in said) is (life_share == 1.0)


def test_variation_keeps_what_a_pair_says():
    pair = LabelledPair("my sister lives in Turin", "she moved", PairRelation.REPLACES, "en")
    chatter, random = read_chatter(), Random(2)
    varied = [vary_pair(pair, chatter, random, is_written=False) for _ in range(200)]
    assert all("she moved" in each.new.lower() for each in varied)
    assert {each.old.lower() for each in varied} == {pair.old.lower()}
    assert {(each.relation, each.language) for each in varied} == {(pair.relation, "en")}
    assert len({each.new for each in varied}) > 50


def test_repetitions_are_taken_twice():
    written = read_written_pairs()
    before, after = (
        Counter(p.relation for p in each) for each in (written, double_repetitions(written))
    )
    assert after.pop(PairRelation.SAME) == 2 * before.pop(PairRelation.SAME)
    assert after == before


# Averaging


def _updates(seed, rank=4):
    normal = np.random.default_rng(seed).standard_normal
    return {
        "layer.dense.a": normal((rank, 20)),
        "layer.dense.b": normal((30, rank)),
        "layer.norm.weight": normal(20),
        "head.weight": normal((5, 20)),
    }


def test_the_average_changes_a_matrix_by_the_average_of_what_the_runs_do():
    one, other = _updates(1), _updates(2, rank=6)
    averaged = average_updates([one, other], rank=10)
    wanted = (multiply_factors(one, "layer.dense") + multiply_factors(other, "layer.dense")) / 2
    np.testing.assert_allclose(multiply_factors(averaged, "layer.dense"), wanted, atol=1e-5)
    for name in ("layer.norm.weight", "head.weight"):
        np.testing.assert_allclose(averaged[name], (one[name] + other[name]) / 2)


def test_a_cut_keeps_the_strongest_part():
    product = multiply_factors(_updates(3, rank=8), "layer.dense")
    a, b = find_factors(product, 5)
    assert (a.shape, b.shape) == ((5, 20), (30, 5))
    lost = np.linalg.svd(product, compute_uv=False)[5:]
    assert np.linalg.norm(product - b @ a) == pytest.approx(np.linalg.norm(lost), rel=1e-4)


def test_runs_of_different_models_are_not_averaged():
    one, other = _updates(1), _updates(2)
    del other["layer.norm.weight"]
    with pytest.raises(ValueError, match="different models"):
        average_updates([one, other], rank=4)


def test_the_average_of_files_is_written_into_a_file(tmp_path, monkeypatch):
    runs = [tmp_path / "one.npz", tmp_path / "other.npz"]
    for seed, path in enumerate(runs):
        save_updates(_updates(seed), path)
    out = tmp_path / "average.npz"
    command = ["pair_reading", "average", *runs, "--rank", "8", "--out", out]
    monkeypatch.setattr(sys, "argv", [str(each) for each in command])
    main()
    averaged, wanted = load_updates(out), average_updates([*map(load_updates, runs)], 8)
    assert averaged["layer.dense.a"].dtype == np.float16
    assert averaged["head.weight"].dtype == np.float32
    for name in wanted:
        np.testing.assert_allclose(averaged[name], wanted[name], atol=5e-3)


def test_the_table_of_the_package_is_such_an_average():
    table = load_updates(PAIR_UPDATES)
    factors = [name for name in table if name.endswith((".a", ".b"))]
    assert len(factors) == 2 * 6 * 6
    assert all(RANK in table[name].shape for name in factors)
    norms = [name for name in table if ".LayerNorm." in name]
    assert len(norms) == 2 * 2 * 6
    assert set(table) == {*factors, *norms, "head.weight", "head.bias"}
    assert table["head.weight"].shape == (len(PAIR_RELATIONS), WIDTH)


def test_training_without_pytorch_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(sys, "argv", ["pair_reading", "train", str(tmp_path)])
    with pytest.raises(SystemExit, match="needs PyTorch and transformers"):
        main()
    assert list(tmp_path.iterdir()) == []
