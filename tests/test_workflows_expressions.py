"""Conditions and places in texts: they read what they are given, and nothing else."""

import logging

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.core.errors import InvalidInput
from tacit.integrations.workflows.expressions import (
    check_expression,
    condition_holds,
    evaluate,
    fill_template,
)

NAMES = {
    "event": {"prompt": "Why JWT?", "source": "compact", "files": ["a.py", "b.py"], "ok": False},
    "variables": {"count": 3, "nested": {"deep": "yes"}, "name with space": 1},
    "session": "s1",
    "project": None,
}


@pytest.mark.parametrize(
    "text",
    [
        "event.source == 'compact'",
        "event.source in ['clear', 'compact']",
        "event['source'] != 'clear' and not event.ok",
        "variables.count >= 3 and 1 < variables.count < 10",
        "variables.nested.deep == 'yes'",
        "variables['name with space'] == 1",
        "len(event.files) == 2",
        "'JWT' in event.prompt",
        "event.missing is None",
        "event.missing.further == null",
        "event.prompt.upper is None",
        "'x' not in event.missing",
        "len(event.missing) == 0",
        "session == 's1' and project is None",
        "event.ok == false or true",
        "  variables.count == 3  ",
        "variables.count > -1",
    ],
)
def test_a_condition_that_holds_holds(text):
    check_expression(text)
    assert condition_holds(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "event.__class__.__bases__",
        "open('/etc/passwd')",
        "(lambda: 1)()",
        "[each for each in event]",
        "f'{event}'",
        "event.prompt.format()",
        "len(event, event)",
        "'a' * 1000000000",
        "9 ** 9 ** 9",
        "b'x'",
        "...",
        "~1",
        "1 if true else 2",
        "event.files[0:1]",
        "os",
        "",
        "((",
        "a = 1",
        "(" * 300,
        "not " * 100 + "true",
        "true" + " and true" * 100,
        "\x00",
        "\ud800",
    ],
)
def test_what_is_not_in_the_language_is_refused_and_does_not_hold(text, caplog):
    if "__class__" not in text:
        with pytest.raises(InvalidInput):
            check_expression(text)
    assert not condition_holds(text, NAMES)


def test_an_error_is_false_and_logged(caplog):
    with caplog.at_level(logging.WARNING, "tacit.workflows"):
        assert not condition_holds("event.prompt < 1", NAMES)
        assert not condition_holds("nobody.knows", NAMES)
    assert "event.prompt < 1" in caplog.text
    assert "known: event, variables, session, project" in caplog.text


_PIECES = st.sampled_from(
    [
        "event",
        "variables",
        ".",
        "__class__",
        "__globals__",
        "prompt",
        "[",
        "]",
        "'a'",
        "(",
        ")",
        "len",
        " and ",
        " or ",
        " not ",
        " in ",
        "==",
        "<",
        "1",
        "-",
        ",",
        "lambda:",
        "{",
        "}",
        "*",
        " if ",
        " else ",
        " for ",
        ":=",
        "\\",
        "\n",
        "0x",
        "1in",
        "é",
        "f''",
        "session",
        "count",
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=12).map("".join)))
@example("'\\d' == 1")
@example("1if 2else 3")
def test_no_condition_raises(text):
    assert condition_holds(text, NAMES) in (True, False)


def _inside(value):
    yield id(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _inside(part)


def _is_harmless(value):
    if value is None or type(value) in (bool, int, float, str) or id(value) in set(_inside(NAMES)):
        return True
    return type(value) is list and all(map(_is_harmless, value))


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_nothing_is_reachable_but_the_given_values(text):
    try:
        value = evaluate(text, NAMES)
    except InvalidInput:
        return
    assert _is_harmless(value)


def test_places_are_filled_and_one_alone_keeps_its_kind():
    assert fill_template("{{ event.files }}", NAMES) == ["a.py", "b.py"]
    assert fill_template("{{ event.prompt }} ({{variables.count}}){{ event.missing }}", NAMES) == (
        "Why JWT? (3)"
    )
    assert fill_template({"a": ["{{ session }}", 1]}, NAMES) == {"a": ["s1", 1]}
    assert fill_template("{{ event.prompt }}{{ session }}", NAMES) == "Why JWT?s1"
    assert fill_template("no place { here }", NAMES) == "no place { here }"


def test_words_of_the_event_are_never_filled_again():
    names = {"event": {"prompt": "{{ variables.secret }}"}, "variables": {"secret": "x"}}
    assert fill_template("He said: {{ event.prompt }}", names) == "He said: {{ variables.secret }}"


def test_a_place_that_is_wrong_is_refused():
    with pytest.raises(InvalidInput, match="unknown name 'os'"):
        fill_template("{{ os.environ }}", NAMES)


def test_a_place_that_is_not_closed_is_text_and_one_ends_where_it_is_closed():
    assert fill_template("{{ session }} }} and {{ session", NAMES) == "s1 }} and {{ session"
    assert fill_template(" {{ variables.count }} ", NAMES) == 3
    assert fill_template("{{ session }}{{ session }}", NAMES) == "s1s1"
