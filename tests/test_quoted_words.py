"""Later words that are quoted beside earlier ones: gone once they are forgotten or erased."""

import pytest

from tacit import FakeEmbedder, Tacit
from tests.support import HandClock
from tests.test_erased_words import WORD, holding

pytestmark = pytest.mark.episodes

EARLIER = "Theo is mad about trains. Our office is in Porto."
LATER = f"Our office is in {WORD.title()} now."
ALL = {"user": "ana", "contextual_min_score": 0.0}


@pytest.fixture(params=[False, True], ids=["earlier words not learned", "earlier words learned"])
def tacit(request, tmp_path, monkeypatch):
    """A store in which later words replace one thing of several that were said before."""
    if not request.param:
        monkeypatch.setenv("TACIT_WRITING_MIN_CONFIDENCE", "1")
    clock = HandClock()
    for text in (EARLIER, LATER):
        with _open(tmp_path, clock) as opened:
            opened.turn(session=text[:4], text=text, **ALL).commit("Noted.")
            opened.learn()
        monkeypatch.delenv("TACIT_WRITING_MIN_CONFIDENCE", raising=False)
        clock.advance(days=1)
    with _open(tmp_path, clock) as opened:
        yield opened


def _open(folder, clock):
    return Tacit.open(folder / "memory.db", embedder=FakeEmbedder(), clock=clock)


def _ask(tacit, session="later", **asked):
    return tacit.turn(
        session=session, text="Does Theo like trains near our office?", **(ALL | asked)
    )


def _learned(tacit):
    (memory,) = tacit.list(user="ana", contains=WORD)
    return memory.id


def test_a_block_names_the_words_that_it_quotes(tacit):
    shown = _ask(tacit)
    assert WORD.title() in shown.block
    shown.commit("Yes.")
    with tacit._context.store.read("default") as unit:
        (block,) = unit.blocks.of("later")
    quoted = {each.id for each in tacit.episodes.list(user="ana", contains=WORD)} | {
        _learned(tacit)
    }
    assert len(quoted & {*block.memories}) == 1


def test_forgotten_words_are_quoted_no_more(tacit):
    tacit.forget(_learned(tacit))
    assert WORD.title() not in str(_ask(tacit).block)


def test_a_block_that_quotes_what_was_forgotten_since_leaves_the_history(tacit):
    shown = _ask(tacit)
    shown.commit("Yes.")
    tacit.forget(_learned(tacit))
    after = tacit.turn(
        session="later", text="And which trains are they?", history=shown.history, **ALL
    )
    assert WORD.title() not in str(after.messages)


def test_erased_words_are_in_no_block_that_quotes_them(tacit, tmp_path):
    _ask(tacit).commit("Yes.")
    _ask(tacit, session="open")
    assert {"blocks", "open_turns"} <= holding(tmp_path)
    tacit.erase(_learned(tacit))
    assert holding(tmp_path) == set()
