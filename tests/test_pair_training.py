"""What the model that reads two texts together is made of: its data, its pairs, its average."""

import functools
import json
import re
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import ClassVar

import numpy as np
import pytest
import tools.pair_reading
from tools.pair_reading import __main__ as commands
from tools.pair_reading import drawing
from tools.pair_reading.attributes import generate_pair, make_two_of_one
from tools.pair_reading.averaging import (
    average_updates,
    find_factors,
    load_updates,
    multiply_factors,
    save_updates,
)
from tools.pair_reading.drawing import (
    Crossing,
    PairShares,
    PairSources,
    PairStream,
    choose_from_life,
    choose_unlike,
)
from tools.pair_reading.names import Names, find_names, name_anew, rename_common
from tools.pair_reading.pairs import (
    DATA,
    RELATIONS,
    WRITTEN,
    Attribute,
    TrainingPair,
    double_repetitions,
    is_test_life,
    is_test_pair,
    long_words,
    read_attributes,
    read_chatter,
    read_lives,
    read_misread_lives,
    read_written_pairs,
)
from tools.pair_reading.runs import (
    RANK,
    STUDENTS,
    TEACHERS,
)
from tools.pair_reading.switches import SwitchWays, make_switch, read_switches
from tools.pair_reading.variation import vary_pair

from tacit import evals
from tacit.embedding.minilm.model_files import PAIR_UPDATES, WIDTH
from tacit.statements.pair_reading import PAIR_RELATIONS, PairRelation

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
    "changes_en": {"en"},
    "changes_de_fr_es": {"de", "fr", "es"},
    "near_en": {"en"},
    "near_de_fr_es": {"de", "fr", "es"},
    "world_en": {"en"},
    "contrasts": {"en", "de", "fr", "es"},
}


NAMES = Names(words=("harbor", "velvet", "signal"), known=("Turin", "Anna"))


def _rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _words(text):
    return tuple(re.findall(r"\w+", text.casefold()))


# The data


def test_every_file_of_pairs_is_read():
    others = {"attributes_en", "lives", "misread_lives"}
    assert {path.stem for path in DATA.glob("*.jsonl")} == {*WRITTEN, *others}
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
    written = [*read_written_pairs(), *read_misread_lives()]
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
    for text in (docs, " ".join(tools.pair_reading.__doc__.split())):
        for code, name in names.items():
            assert f"{name} {languages[code]:,}" in text
        assert f"{languages.total():,} pairs" in text
        assert f"{len(read_attributes())} attributes" in text
        assert f"{len(read_lives())} people and teams" in text
        assert f"rank {RANK}" in text
    assert f"{len(read_misread_lives())} pairs of `lives`" in text


def test_what_was_misread_are_different_statements_of_one_life():
    lives = [set(life.statements) for life in read_lives()]
    for pair in read_misread_lives():
        assert pair.old != pair.new
        assert pair.relation is PairRelation.UNRELATED
        assert any({pair.old, pair.new} <= life for life in lives)


def test_every_language_can_speak_of_a_switch():
    switches = read_switches()
    assert set(switches) == {"en", "de", "fr", "es"}
    for ways in switches.values():
        for way in (*ways.uses, *ways.moves, *ways.others):
            assert "{used}" in way
        assert all(set(re.findall(r"{\w+}", way)) <= {"{used}", "{before}"} for way in ways.uses)
        assert any("{next}" in way for way in ways.moves)
        assert ways.mentions


def test_every_attribute_can_be_said_in_every_way():
    for each in read_attributes():
        assert each.subjects
        assert len(set(each.values)) >= 5
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


def test_nothing_of_a_life_that_is_set_aside_is_trained_on(monkeypatch):
    monkeypatch.setattr(drawing, "read_names", lambda *_: NAMES)
    aside = [life for life in read_lives() if is_test_life(life)]
    assert {life.language for life in aside} >= {"en", "fr", "es"}
    trained = PairSources.read(Path("tokenizer.json"))
    assert not {life.statements for life in aside} & {life.statements for life in trained.lives}
    misread = {text for pair in trained.misread_lives for text in (pair.old, pair.new)}
    assert misread.isdisjoint(text for life in aside for text in life.statements)


# Making pairs


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
        pair = generate_pair(*random.choices(attributes, k=2), random)
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
    home, random = _attribute("home", single=True), Random(4)
    pairs = [generate_pair(home, home, random) for _ in range(500)]
    after_an_end = [_said(pair) for pair in pairs if " ends " in pair.old]
    relations = [pair.relation for pair in pairs if " ends " in pair.old]
    assert after_an_end
    for (old, new), relation in zip(after_an_end, relations, strict=True):
        is_again = old[3] == new[3]
        assert relation is (PairRelation.REPLACES if is_again else PairRelation.ADDS)


def test_two_attributes_of_one_subject_leave_each_other_alone():
    cities = replace(_novels(), subjects=("Porto", "Turin"), states=("{S} is ruled by {V}",))
    home, car = (_attribute(name, single=True) for name in ("home", "car"))
    mine = replace(home, subjects=("I",))
    attributes, random = [home, car, mine, _novels(), cities], Random(3)
    starts = Counter()
    for _ in range(500):
        pair = make_two_of_one(attributes, NAMES, random)
        assert pair.relation is PairRelation.UNRELATED
        old, new = pair.old.split(), pair.new.split()
        starts[old[0] in ("home", "car")] += 1
        if old[0] in ("home", "car"):
            assert {old[0], new[0]} == {"home", "car"}
            assert old[2] == new[2]
        else:
            assert long_words(pair.old) & long_words(pair.new)
    assert min(starts.values()) > 100


def test_subjects_that_are_names_are_often_invented():
    other, random = replace(_novels(), states=("{S} has a map by {V}",)), Random(3)
    pairs = [make_two_of_one([_novels(), other], NAMES, random) for _ in range(300)]
    known = sum(any(name in pair.old for name in _novels().subjects) for pair in pairs)
    assert 80 < known < 160


SWITCHES = {
    "en": SwitchWays(
        uses=("I use <{used}>",),
        moves=("I went from <{used}> to <{next}>",),
        others=("she uses <{used}>",),
        mentions=("the move to <{next}> went well",),
    )
}


def test_a_switch_replaces_what_was_used_and_leaves_what_somebody_else_uses():
    thing = replace(_attribute("tool", single=True), values=tuple("12345"))
    random, seen = Random(14), set()
    for _ in range(1_000):
        pair = make_switch(SWITCHES, [thing], NAMES, random)
        old, new = (re.findall("<(.+?)>", text) for text in (pair.old, pair.new))
        if pair.new.startswith("the move"):
            case = "mention"
            assert pair.relation in (PairRelation.UNREAL, PairRelation.UNRELATED)
        elif pair.old.startswith("she"):
            case = "somebody else"
            assert old[0] == new[0]
            assert pair.relation is PairRelation.UNRELATED
        else:
            case = (len(old), old[-1] == new[0])
            is_given_up = old[-1] == new[0]
            assert pair.relation is (
                PairRelation.REPLACES if is_given_up else PairRelation.UNRELATED
            )
        seen.add(case)
    assert seen == {"mention", "somebody else", (1, True), (1, False), (2, True)}


# Inventing names


def _novels():
    return Attribute(
        subjects=("The Glass Orchard", "Winter Ferries"),
        values=("Maren Holt", "Ruth Abernethy"),
        states=("{V} wrote {S}",),
        changes=("{S} is now said to be by {V}",),
        ends=("{S} is not by {V} any more",),
        not_now=("{S} may be by {V}",),
        near=("{V} reviewed {S}",),
        single=True,
    )


def test_invented_names_are_the_same_in_both_texts_of_a_pair():
    random = Random(7)
    for _ in range(500):
        novels = name_anew(_novels(), NAMES, random)
        pair = generate_pair(novels, novels, random)
        if pair.relation is not PairRelation.UNRELATED:
            assert any(name in pair.old and name in pair.new for name in novels.subjects)
        if pair.relation is PairRelation.SAME:
            assert any(name in pair.old and name in pair.new for name in novels.values)


def test_every_pair_gets_other_names():
    random = Random(8)
    named = [name_anew(_novels(), NAMES, random) for _ in range(200)]
    assert len({each.subjects for each in named}) > 190
    assert not {*_novels().subjects} & {name for each in named for name in each.subjects}
    assert 60 < sum(each.values != _novels().values for each in named) < 160
    assert {each.states for each in named} == {_novels().states}


@pytest.mark.parametrize("subject", ["my sister", "I", "the staging server", "Our Monday meeting"])
def test_what_has_no_name_gets_none(subject):
    unnamed = replace(_novels(), subjects=(subject,))
    assert name_anew(unnamed, NAMES, Random(9)) == unnamed


def test_a_name_in_both_texts_is_replaced_in_both_and_what_changed_stays():
    pair = TrainingPair(
        "Anna lives in Turin. On Monday Anna rests.",
        "Anna's flat is in Lyon since Monday, Annabel says",
        PairRelation.REPLACES,
        "en",
    )
    renamed = rename_common(pair, NAMES, Random(10))
    invented = renamed.old.split()[0]
    assert invented != "Anna"
    assert renamed == replace(
        pair,
        old=f"{invented} lives in Turin. On Monday {invented} rests.",
        new=f"{invented}'s flat is in Lyon since Monday, Annabel says",
    )


def test_names_are_found_inside_sentences_and_days_are_none():
    pair = TrainingPair("Kim says Ann is in Porto", "on Friday, Ben left", None, "en")
    assert find_names([pair]) == ("Ann", "Ben", "Porto")


# Varying


def test_variation_keeps_what_a_pair_says():
    pair = TrainingPair("my sister lives in Turin", "she moved", PairRelation.REPLACES, "en")
    chatter, random = read_chatter(), Random(2)
    varied = [vary_pair(pair, chatter, random, is_written=False) for _ in range(200)]
    assert all("she moved" in each.new.lower() for each in varied)
    assert {each.old.lower().removesuffix(".") for each in varied} == {pair.old.lower()}
    assert {(each.relation, each.language) for each in varied} == {(pair.relation, "en")}
    assert len({each.new for each in varied}) > 50


# Drawing


def _sources(written):
    return PairSources(
        written,
        read_lives(),
        read_misread_lives(),
        read_attributes(),
        read_switches(),
        read_chatter(),
        NAMES,
    )


@functools.cache
def _all_sources():
    """All that there is, which is long to read; a stream changes nothing in it."""
    return _sources(read_written_pairs())


ALL_KINDS = PairShares(
    written=0.2, life=0.1, unlike=0.1, crossed=0.2, misread=0.1, two_of_one=0.1, switches=0.1
)
KINDS = {
    "written": PairShares(written=1, life=0, unlike=0),
    "life": PairShares(written=0, life=1, unlike=0),
    "unlike": PairShares(written=0, life=0, unlike=1),
    "crossed": PairShares(written=0, life=0, unlike=0, crossed=1),
    "misread": PairShares(written=0, life=0, unlike=0, misread=1),
    "two of one": PairShares(written=0, life=0, unlike=0, two_of_one=1),
    "switches": PairShares(written=0, life=0, unlike=0, switches=1),
    "made": PairShares(written=0, life=0, unlike=0),
}


def test_the_same_seed_draws_the_same_pairs():
    def draw(seed):
        stream = PairStream(_all_sources(), ALL_KINDS, Random(seed))
        return [stream.draw() for _ in range(200)]

    first = draw(3)
    assert draw(3) == first
    assert draw(4) != first


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_stop_is_as_likely_in_every_kind_of_pair(kind):
    # Only these can have one: others end with a mark of their own.
    stream = PairStream(_all_sources(), KINDS[kind], Random(11))
    pairs = [stream.draw() for _ in range(1_500)]
    for texts in ([pair.old for pair in pairs], [pair.new for pair in pairs]):
        ends = Counter(text[-1] == "." for text in texts if text.removesuffix(".")[-1].isalnum())
        assert 0.45 < ends[True] / ends.total() < 0.55


@pytest.mark.parametrize("kind", KINDS)
def test_shares_say_where_pairs_come_from(kind):
    written = [
        TrainingPair("an old note", "a new note", PairRelation.REPLACES, "en"),
        TrainingPair("the other note", "this last note", PairRelation.SAME, "en"),
    ]
    ours = {text for pair in written for text in (pair.old, pair.new)}
    said = {each.casefold().removesuffix(".") for life in read_lives() for each in life.statements}
    stream = PairStream(_sources(written), KINDS[kind], Random(6))
    for pair in (stream.draw() for _ in range(60)):
        old = pair.old.casefold().removesuffix(".")
        assert (old in ours) is (kind in ("written", "unlike", "crossed"))
        assert (old in said) is (kind in ("life", "misread"))
        assert (pair.relation is None) is (kind == "crossed")


def test_statements_of_one_life_leave_each_other_alone():
    lives, random = read_lives(), Random(5)
    pairs = [choose_from_life(lives, random) for _ in range(300)]
    for pair in pairs:
        assert any({pair.old, pair.new} <= set(life.statements) for life in lives)
        assert pair.relation is PairRelation.UNRELATED
        assert pair.old != pair.new
    assert {pair.language for pair in pairs} == {"en", "de", "fr", "es"}


def test_texts_of_two_statements_are_unrelated():
    written, random = read_written_pairs(), Random(12)
    together = {(pair.old, pair.new) for pair in written}
    for pair in (choose_unlike(written, random) for _ in range(300)):
        assert (pair.old, pair.new) not in together
        assert pair.relation is PairRelation.UNRELATED


def test_crossed_texts_come_from_pairs_with_a_word_in_common_and_have_no_label():
    written, random = read_written_pairs()[:2_000], Random(13)
    crossing = Crossing(written)
    for pair in (crossing.choose(random) for _ in range(300)):
        others = [each for each in written if pair.new in (each.old, each.new)]
        words = [long_words(each.old) | long_words(each.new) for each in others]
        assert any(long_words(pair.old) & each for each in words)
        assert pair.old != pair.new
        assert pair.relation is None


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
    _run(monkeypatch, "average", *runs, "--rank", 8, "--out", out)
    averaged, wanted = load_updates(out), average_updates([*map(load_updates, runs)], 8)
    assert averaged["layer.dense.a"].dtype == np.float16
    assert averaged["head.weight"].dtype == np.float32
    for name in wanted:
        np.testing.assert_allclose(averaged[name], wanted[name], atol=5e-3)


def test_the_table_of_the_package_has_the_rank_and_the_arrays_of_a_trained_run():
    table = load_updates(PAIR_UPDATES)
    factors = [name for name in table if name.endswith((".a", ".b"))]
    assert len(factors) == 2 * 6 * 6
    assert all(RANK in table[name].shape for name in factors)
    norms = [name for name in table if ".LayerNorm." in name]
    assert len(norms) == 2 * 2 * 6
    assert set(table) == {*factors, *norms, "head.weight", "head.bias"}
    assert table["head.weight"].shape == (len(PAIR_RELATIONS), WIDTH)


# Training


def _run(monkeypatch, *given):
    monkeypatch.setattr(sys, "argv", ["pair_reading", *map(str, given)])
    commands.main()


def test_every_run_has_its_own_name_and_seed_and_shares_that_add_up():
    runs = [*TEACHERS, *STUDENTS]
    assert len({run.name for run in runs}) == len({run.seed for run in runs}) == len(runs)
    for run in runs:
        shares = asdict(run.shares)
        del shares["renamed"], shares["named"]
        assert 0.1 < run.shares.made == pytest.approx(1 - sum(shares.values()))
        assert not run.shares.crossed or run.teachers


def test_students_begin_with_all_teachers_and_learn_from_them():
    teachers = tuple(run.name for run in TEACHERS)
    assert {(run.teachers, run.begins_with) for run in STUDENTS} == {(teachers, teachers)}
    assert [run.has_whole_matrices for run in TEACHERS] == [False, False, True, True]
    assert max(run.rank for run in STUDENTS) == RANK


class _Training:
    """Stands for a process that trains one run: it leaves a file."""

    started: ClassVar = []

    def __init__(self, command):
        folder, name = Path(command[command.index("train") + 1]), command[-1]
        earlier = {path.stem for path in folder.glob("*.npz")}
        self.started.append((name, earlier))
        self._file, self._seed = folder / f"{name}.npz", len(self.started)

    def wait(self):
        save_updates(_updates(self._seed), self._file)
        return 0


def test_the_table_is_the_average_of_students_that_begin_after_their_teachers(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(commands, "find_spec", lambda _: True)
    monkeypatch.setattr(commands.subprocess, "Popen", _Training)
    monkeypatch.setattr(_Training, "started", [])
    (tmp_path / "published").mkdir()
    _run(monkeypatch, "train", tmp_path)
    teachers, students = ({run.name for run in runs} for runs in (TEACHERS, STUDENTS))
    assert {name for name, earlier in _Training.started if not earlier} == teachers
    assert {name for name, earlier in _Training.started if earlier == teachers} == students
    wanted = average_updates([load_updates(tmp_path / f"{name}.npz") for name in students], RANK)
    table = load_updates(tmp_path / "pair_updates.npz")
    np.testing.assert_allclose(
        multiply_factors(table, "layer.dense"), multiply_factors(wanted, "layer.dense"), atol=0.02
    )


def test_a_training_that_fails_ends_all_and_is_named(tmp_path, monkeypatch):
    class FailedTraining(_Training):
        def wait(self):
            return 1

    monkeypatch.setattr(commands, "find_spec", lambda _: True)
    monkeypatch.setattr(commands.subprocess, "Popen", FailedTraining)
    (tmp_path / "published").mkdir()
    with pytest.raises(SystemExit, match=TEACHERS[0].name):
        _run(monkeypatch, "train", tmp_path)
    assert list(tmp_path.glob("*.npz")) == []


def test_training_without_pytorch_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="needs PyTorch and transformers"):
        _run(monkeypatch, "train", tmp_path)
    assert list(tmp_path.iterdir()) == []
