"""No rule of extraction is held up by a text that repeats what the rule itself repeats."""

import signal
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random
from time import process_time

import pytest
from benchmarks.hostile.patterns import repetitions_in

from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.quoted_text import tidy_spaces
from tacit.language.extraction.rule_tables import (
    LANGUAGES,
    PATTERN_NAMES,
    compile_cached,
    load_rule_table,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SENTENCE = 1_000
STATEMENT = 500
FACTOR = 10
ORDINARY = (
    "I live in Leeds with my wife and we have two dogs. We use Postgres for billing because it is"
    " fast, and the staging server runs on port 8080. Please always answer in short sentences. My"
    " next meeting is on Monday at ten. Yesterday we went to the cinema. "
)


AT_THE_START = frozenset(
    ("fronts", "leads", "explicit", "tasks_ahead", "asks", "inverts", "wishes", "supposes",
     "supposes_on", "requests", "pleasantries", "plays", "fiction", "tasks", "dangling", "pronouns",
     "subjects", "own")
)  # fmt: skip
"""Ways of speaking that are looked for at the start of a clause only."""


def _patterns(language):
    """Every pattern with its name, how it is looked for, and in how much text."""
    known = load_rule_table(language)
    for name in PATTERN_NAMES:
        pattern = known[name]
        look = pattern.match if name in AT_THE_START else pattern.search
        yield name, pattern, look, SENTENCE
    for rule in known.rules:
        yield rule.name, rule.pattern, rule.pattern.match, STATEMENT
        for why, each in rule.unless:
            yield (
                f"{rule.name} unless {why}",
                compile_cached(each),
                compile_cached(each).search,
                SENTENCE,
            )
    for heading in known.headings:
        yield f"heading {heading.type}", heading.pattern, heading.pattern.match, SENTENCE


class _TooLong(Exception):
    """Raised in the middle of a match."""


@contextmanager
def _limited(seconds):
    """Let what runs inside take so many seconds of CPU; a match that is longer is broken off."""

    def stop(*_):
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _is_held_up(look, text, limit):
    """Whether looking for a pattern takes longer than it may, twice in a row."""
    for _ in range(2):
        try:
            with _limited(limit):
                look(text)
        except _TooLong:
            continue
        return False
    return True


@pytest.fixture(scope="module")
def ordinary():
    """What all the rules together cost on an ordinary message of a thousand characters."""
    text = (ORDINARY * 4)[:SENTENCE]
    extract_findings(text, NOW)
    start = process_time()
    for _ in range(20):
        extract_findings(text, NOW)
    return (process_time() - start) / 20


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_costs_ten_times_what_all_cost_on_ordinary_words(language, ordinary):
    draw = Random(language)
    held_up = [
        (name, before[-40:], unit)
        for name, pattern, look, size in _patterns(language)
        for before, unit, end in repetitions_in(pattern, draw)
        if _is_held_up(
            look, tidy_spaces(f"{before}{unit * (size // len(unit))}{end}"), FACTOR * ordinary
        )
    ]
    assert not held_up
