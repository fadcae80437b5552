"""No text can stop the process: what a function that reads text costs grows with the text alone."""

import re
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from benchmarks.hostile.cost import FACTOR, FULL, growth, load, quick_cost
from benchmarks.hostile.functions import FUNCTIONS, named
from benchmarks.hostile.repetitions import KNOWN, Form, Repetition, repetitions, vocabulary

import tacit

SOURCE = Path(tacit.__file__).parent
COUNT = 20
MATCHING = re.compile(r"^import re$|\bmarkdown_it\b|^import yaml$|\bjson\.loads\(", re.MULTILINE)
"""A module that matches patterns, or that has a parser, reads text."""

ELSEWHERE = {
    "cli": "what a person types into their own terminal",
    "evals": "benchmark data that a person names",
    "cli/doctor": "files of the machine",
    "api/client": "what the server answers",
    "integrations/daemon.py": "bytes of a hook, whose texts are read by hooks",
    "server": "headers and paths, whose lengths uvicorn limits",
    "proxy": "headers and paths, and the first words of a message",
    "store": "what was checked and written before",
    "embedding": "a model's files, and what an endpoint answers",
    "settings": "the operator's own file, but for what is read of a text",
    "integrations/installer": "the user's own configuration, but for what is read of a text",
    "ui": "what is typed into a page, but for the difference of two texts",
    "api": "names and ids, which are matched whole",
    "runtime/prompt_spool.py": "our own files, in a folder of the user alone",
    "runtime/trust.py": "our own list of files that a person trusts",
    "language/prompt_templates.py": "fixed words, matched by language/neutralization.py",
    "integrations/hooks/daemon_client.py": "what our own daemon answers",
    "integrations/hooks/sender.py": "what the user's own client writes, as JSON",
    "integrations/workflows/actions.py": "the first 20,000 characters of a prompt",
    "integrations/crewai.py": "what a language model answers",
    "writing/archive/contents.py": "the first line of a file",
    "embedding/llm.py": "what a language model answers",
    "embedding/endpoint.py": "what an endpoint answers",
}
"""Rooms whose texts nobody hostile writes, or which are short by rule."""


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS, ids=[each.name for each in FUNCTIONS])
def test_eight_times_the_text_costs_at_most_sixteen_times_as_much(function):
    load(function.read)
    found = [
        growth(function.read, each) for each in repetitions(function.name, function.sources, COUNT)
    ]
    assert not [str(each) for each in found if not each.is_fine]


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["= =\na\n\n", "`   <a\n========\n\n", ":a"])
def test_tables_and_roles_of_a_long_restructured_text_cost_as_much_as_their_lines(unit):
    (function,) = named(("documents.restructured",))
    found = growth(function.read, Repetition(unit))
    assert found.is_fine, str(found)


def test_clauses_of_a_long_text_that_a_turn_compares_cost_no_more_than_those_of_its_beginning():
    (function,) = named(("extraction.clauses",))
    load(function.read)
    found = growth(function.read, Repetition("so "))
    assert found.is_fine, str(found)
    assert found.large_ms < 1_000


def test_a_cost_that_grows_with_the_square_is_noticed():
    def quadratic(text):
        for _ in range(len(text) // 100):
            text.count("b")

    found = growth(quadratic, Repetition("a"))
    assert not found.is_fine
    assert found.large_ms > 16 * found.small_ms


def test_a_cost_that_grows_with_the_text_is_fine():
    found = growth(lambda text: sum(map(ord, text)), Repetition("a"))
    assert found.is_fine
    assert FACTOR * found.size >= FULL


def test_a_cost_that_would_take_too_long_is_estimated_from_a_shorter_text():
    def slow(text):
        sum(range(600 * len(text)))

    ms, is_measured = quick_cost(slow, Repetition("a"), 10 * FULL)
    assert not is_measured
    assert ms > 8_000


@pytest.mark.parametrize("form", Form)
def test_a_repetition_has_the_size_that_is_asked_for(form):
    repetition = Repetition("password: ", form)
    assert 1_000 <= len(repetition.text(1_000)) <= 1_020
    assert repetition.text(1_000).startswith("password: ")


def test_a_filled_repetition_is_a_run_between_two_units():
    assert Repetition("x", Form.FILLED, "-").text(6) == "x-----x"
    for function in FUNCTIONS:
        given = repetitions(function.name, function.sources, COUNT)
        runs = [each for each in given if each.form is Form.FILLED]
        assert {each.filler for each in runs if each.unit == "x"} >= {" ", "\t", "\n"}
        assert len({each.unit for each in runs}) > 2


def test_numbered_repetitions_are_all_different():
    words = Repetition("a", Form.NUMBERED).text(1_000).split()
    assert len(set(words)) == len(words)


def test_each_function_is_given_the_same_texts_each_time():
    for function in FUNCTIONS:
        first, again = (list(repetitions(function.name, function.sources, COUNT)) for _ in range(2))
        assert first == again
        assert len(first) == COUNT
        assert {each.unit for each in first} & set(KNOWN)


def test_texts_are_made_of_the_words_of_the_tables():
    words, _ = vocabulary(("tacit.language.redaction",))
    assert {"password", "contraseña", "AKIA"} <= set(words)
    words, signs = vocabulary(("tacit.writing.learning.echoes",))
    assert "importance" in words
    assert any("-" in each for each in signs)


def test_names_of_functions_are_unique():
    names = [each.name for each in FUNCTIONS]
    assert len(set(names)) == len(names)


def test_every_module_that_reads_text_is_reached_by_a_function_of_the_table():
    """A new module with patterns is reached by one, or has a reason in ELSEWHERE."""
    reading = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if MATCHING.search(path.read_text("utf-8"))
    }
    with _entered() as entered:
        for function in FUNCTIONS:
            for text in SAMPLES:
                _read(function, text)
    missed = {each for each in reading - entered if not _is_elsewhere(each)}
    assert not missed, "give each a function in benchmarks/hostile/functions.py, or a reason here"


def test_every_reason_is_needed():
    places = [str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py")]
    assert all(any(_is_in(place, room) for place in places) for room in ELSEWHERE)


SAMPLES = (
    "I prefer tabs, and my password: hunter2hunter2 is old. <private>x</private> Why?\n\n- a\n- b",
    "---\nname: a\n---\n# Notes\n\n> We chose Go over Rust on 2026-01-01.\n\n|a|b|\n|---|---|\n",
    "User: We moved from Paris to Rome; 5 of 12 tests fail, not 7.\nAssistant: I fixed src/a.py.\n",
    '{"content": "The API speaks gRPC", "memory": "We deploy on Mondays"}',
    "1. 2026-01-01 - I like tea\n2. [2026-01-02] - I move next week\n",
    "Title\n=====\n\n.. note:: We use ReST.\n\n::\n\n    code\n",
)


def _read(function, text):
    try:
        function.read(text)
    except tacit.TacitError:
        return


@contextmanager
def _entered():
    """The files of the package whose functions are called meanwhile, in this thread."""
    files = set()
    sys.setprofile(lambda frame, event, _: event == "call" and files.add(frame.f_code.co_filename))
    found = set()
    try:
        yield found
    finally:
        sys.setprofile(None)
        inside = (Path(name) for name in files if name.startswith(f"{SOURCE}/"))
        found |= {str(path.relative_to(SOURCE)) for path in inside}


def _is_elsewhere(module):
    return any(_is_in(module, room) for room in ELSEWHERE)


def _is_in(module, room):
    return module == room or module.startswith(f"{room}/")
