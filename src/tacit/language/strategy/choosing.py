"""The strategy for a message."""

from dataclasses import dataclass
from enum import StrEnum

from tacit.language.query.cleaning import cleaned
from tacit.language.strategy.address import addresses
from tacit.language.strategy.cues import DEFAULT, Cues
from tacit.language.strategy.phrase import Phrases, phrases
from tacit.language.strategy.wording import BREAK, worded

_ENOUGH = 2
_STRONG = 2
_LOOKED_AT = 600


class Strategy(StrEnum):
    """What a message needs beside itself."""

    NONE = "none"
    TAIL = "tail"
    QMD = "qmd"


@dataclass(frozen=True, slots=True)
class Choice:
    """A strategy, why it was chosen, and the cues it was chosen for."""

    strategy: Strategy
    reason: str
    matched: tuple[str, ...] = ()
    is_small_talk: bool = False
    """Whether the message needs not even the conversation."""


@dataclass(frozen=True, slots=True)
class _Points:
    """What speaks for documents."""

    strong: tuple[str, ...]
    weak: tuple[str, ...]
    anchors: tuple[str, ...]

    @property
    def sum(self) -> int:
        """Two for a strong cue, one for any other."""
        return _STRONG * len(self.strong) + len(self.weak) + len(self.anchors)

    @property
    def cues(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.strong, *self.weak, *self.anchors)


def choose(text: str, cues: Cues = DEFAULT) -> Choice:
    """The strategy for a message, by its words alone."""
    found = addresses(_looked_at(text), cues.domains)
    said = worded(found.rest)
    if not found.hosts and not said.strip():
        return Choice(Strategy.NONE, "no words")
    if not found.hosts and _is_small_talk(said, cues):
        return Choice(Strategy.NONE, "small talk", is_small_talk=True)
    if referring := phrases(cues.continuity).found(said):
        return Choice(Strategy.TAIL, f"continuity: {referring[0]}", referring)
    if found.hosts:
        return Choice(Strategy.QMD, f"url: {found.hosts[0]}", found.hosts)
    return _by_words(said, "?" in found.rest or _is_question(said, cues), cues)


def _by_words(said: str, is_question: bool, cues: Cues) -> Choice:
    points = _points(said, cues)
    if points.sum >= _ENOUGH:
        reason = f"documents: {', '.join(points.cues)} ({points.sum})"
        return Choice(Strategy.QMD, reason, points.cues)
    if is_question and points.anchors:
        return Choice(Strategy.QMD, f"question with anchor: {points.anchors[0]}", points.anchors)
    if referring := phrases(cues.continuity_words).found(said):
        return Choice(Strategy.TAIL, f"continuity: {referring[0]}", referring)
    return Choice(Strategy.NONE, "no cue", points.cues)


def _looked_at(text: str) -> str:
    """What was said; of a long text the beginning and the end, where people say what they want."""
    said = cleaned(text)
    if len(said) <= 2 * _LOOKED_AT:
        return said
    return f"{said[:_LOOKED_AT]}\n{said[-_LOOKED_AT:]}"


def _is_small_talk(said: str, cues: Cues) -> bool:
    """Whether small talk is all of it."""
    words = said.replace(f" {BREAK} ", " ")
    if _small(cues).after(words).strip():
        return False
    return phrases(cues.small_talk, may_be_drawn_out=True).are_in(words)


def _is_question(said: str, cues: Cues) -> bool:
    """Whether a sentence begins like one, small talk aside."""
    asking = phrases(cues.questions)
    sentences = [f" {sentence.strip()} " for sentence in said.split(BREAK)]
    return any(asking.begin(each) or asking.begin(_small(cues).after(each)) for each in sentences)


def _small(cues: Cues) -> Phrases:
    return phrases((*cues.small_talk, *cues.company), may_be_drawn_out=True)


def _points(said: str, cues: Cues) -> _Points:
    """What is found, no word counted twice."""
    strong, weak, anchors = (phrases(kind) for kind in (cues.strong, cues.weak, cues.anchors))
    left = strong.without(said)
    return _Points(strong.found(said), weak.found(left), anchors.found(weak.without(left)))
