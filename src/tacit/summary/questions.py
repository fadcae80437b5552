"""Questions that nobody answered."""

from collections import defaultdict
from collections.abc import Sequence

from tacit.summary.cues import DEFERRALS, words
from tacit.summary.sentences import Sentence
from tacit.summary.transcript import Source

_ENOUGH = 2
"""So many terms a question has that asks for something."""


def open_questions(found: Sequence[Sentence], termed: Sequence[tuple[str, ...]]) -> frozenset[int]:
    """The places of questions that nobody else took up, or that were put off."""
    asked = [
        place
        for place, sentence in enumerate(found)
        if sentence.asks and len(termed[place]) >= _ENOUGH
    ]
    later = _Later(frozenset[str]().union(*(termed[place] for place in asked)))
    open_: set[int] = set()
    end = len(found)
    for place in reversed(asked):
        for after in range(end - 1, place, -1):
            later.hear(after, found[after], termed[after])
        end = place + 1
        if _is_open(found, place, termed[place], later):
            open_.add(place)
    return frozenset(open_)


class _Later:
    """What is said after a place in the transcript, heard from the end."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self._wanted = wanted
        self._speaking_of: dict[str, set[str]] = defaultdict(set)
        self._next: dict[str, int] = {}

    def hear(self, place: int, sentence: Sentence, terms: tuple[str, ...]) -> None:
        """Take note of a sentence that stands before all those heard so far."""
        if sentence.source is Source.TOOL:
            return
        self._next[sentence.speaker] = place
        if not sentence.asks:
            for term in self._wanted.intersection(terms):
                self._speaking_of[term].add(sentence.speaker)

    def reply_to(self, speaker: str) -> int | None:
        """Where someone else speaks next."""
        return min((at for name, at in self._next.items() if name != speaker), default=None)

    def takes_up(self, terms: tuple[str, ...], speaker: str) -> bool:
        """Whether someone else speaks of any of these terms."""
        return any(self._speaking_of[term] - {speaker} for term in terms)


def _is_open(found: Sequence[Sentence], place: int, terms: tuple[str, ...], later: _Later) -> bool:
    """Whether nobody replied, the reply puts it off, or it was passed over for what followed it."""
    asked = found[place]
    reply = later.reply_to(asked.speaker)
    if reply is None or _puts_off(found, reply):
        return True
    if asked.is_last and asked.source is not Source.CARRIED:
        return False
    return not later.takes_up(terms, asked.speaker)


def _puts_off(found: Sequence[Sentence], reply: int) -> bool:
    turn = found[reply].turn
    while reply < len(found) and found[reply].turn == turn:
        if DEFERRALS.are_in(words(found[reply].text)):
            return True
        reply += 1
    return False
