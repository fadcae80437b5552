"""Questions that nobody answered."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tacit.language.summary.cues import DEFERRALS, words
from tacit.language.summary.sentences import Sentence
from tacit.language.summary.transcript import Source

_ENOUGH = 2
"""So many terms a question has that asks for something."""


def open_questions(found: Sequence[Sentence], termed: Sequence[tuple[str, ...]]) -> frozenset[int]:
    """The places of questions that nobody else took up, or that were put off."""
    asked = [
        place
        for place, sentence in enumerate(found)
        if sentence.asks and len(termed[place]) >= _ENOUGH
    ]
    later = _Later(found, frozenset[str]().union(*(termed[place] for place in asked)))
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

    def __init__(self, found: Sequence[Sentence], wanted: frozenset[str]) -> None:
        self._found = found
        self._wanted = wanted
        self._speaking_of: dict[str, set[str]] = defaultdict(set)
        self._next: list[int] = []
        """Where the next speaker begins, and the next one who is somebody else."""
        self._put_off: dict[int, bool] = {}

    def hear(self, place: int, sentence: Sentence, terms: tuple[str, ...]) -> None:
        """Take note of a sentence that stands before all those heard so far."""
        if sentence.source is Source.TOOL:
            return
        goes_on = self._next and self._found[self._next[0]].speaker == sentence.speaker
        self._next = [place, *(self._next[1:] if goes_on else self._next[:1])]
        if not sentence.asks:
            for term in self._wanted.intersection(terms):
                self._speaking_of[term].add(sentence.speaker)

    def reply_to(self, speaker: str) -> int | None:
        """Where someone else speaks next."""
        return next((at for at in self._next if self._found[at].speaker != speaker), None)

    def is_put_off(self, reply: int) -> bool:
        """Whether the turn that begins here puts off what was asked before it."""
        turn = self._found[reply].turn
        if turn not in self._put_off:
            self._put_off[turn] = any(DEFERRALS.are_in(words(said)) for said in self._said(reply))
        return self._put_off[turn]

    def _said(self, start: int) -> Iterator[str]:
        """The sentences of a turn from here on."""
        turn = self._found[start].turn
        for place in range(start, len(self._found)):
            if self._found[place].turn != turn:
                return
            yield self._found[place].text

    def takes_up(self, terms: tuple[str, ...], speaker: str) -> bool:
        """Whether someone else speaks of any of these terms."""
        heard = (self._speaking_of[term] for term in terms)
        return any(len(others) > 1 or not others <= {speaker} for others in heard)


def _is_open(found: Sequence[Sentence], place: int, terms: tuple[str, ...], later: _Later) -> bool:
    """Whether nobody replied, the reply puts it off, or it was passed over for what followed it."""
    asked = found[place]
    reply = later.reply_to(asked.speaker)
    if reply is None or later.is_put_off(reply):
        return True
    if asked.is_last and asked.source is not Source.CARRIED:
        return False
    return not later.takes_up(terms, asked.speaker)
