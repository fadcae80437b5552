"""The view model of the changes page."""

import pytest

from tacit import Tacit
from tacit.ui.pages.changes.view_model import (
    author_text,
    before_label,
    count_text,
    diff_change,
    reason_text,
    result_text,
)


@pytest.fixture
def memory():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def _replace(memory):
    memory.remember("The vault is red", key="vault", by="agent")
    memory.remember("The vault is blue", key="vault", by="agent")
    return memory.changes.list()[0]


def test_a_change_is_told_in_words(memory):
    change = _replace(memory)
    assert author_text(change) == "by an agent"
    assert before_label(change) == "No longer current"
    assert reason_text(change) == "A newer value of vault."
    was, now = diff_change(change)
    assert (was[-1].text, was[-1].is_unique) == ("red", True)
    assert (now[-1].text, now[-1].is_unique) == ("blue", True)


def test_what_became_of_undoing_is_told(memory):
    change = _replace(memory)
    assert result_text(memory.changes.undo(change.id)) == "“The vault is red” holds again."
    assert result_text(memory.changes.undo(change.id)) == "“The vault is red” held again already."
    assert before_label(memory.changes.list()[0]) == "Holds again"


def test_what_a_persons_words_did_waits(memory):
    change = _replace(memory)
    memory.edit(change.other.id, content="The vault is green")
    written = memory.changes.undo(change.id, by="agent")
    assert result_text(written) == "This concerns a person's words: it waits for a person."


def test_what_has_no_successor_stands_alone(memory):
    memory.forget(memory.remember("The lunch was late", by="agent").id, by="agent")
    was, now = diff_change(memory.changes.list()[0])
    assert ([piece.text for piece in was], now) == (["The lunch was late"], None)


@pytest.mark.parametrize(
    ("found", "is_first", "told"),
    [
        (1, True, "1 change"),
        (3, True, "3 changes"),
        (3, False, "3 changes on this page"),
        (21, True, "20 changes on this page, and more"),
    ],
)
def test_a_page_counts_its_changes(found, is_first, told):
    assert count_text(found, 20, is_first=is_first) == told
