"""Score the sentences of a transcript: their terms, their kind, and which questions are still open.

The cue phrases are English first, with German, French and Spanish.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from tacit.language.languages import STOP_WORDS, guess_language
from tacit.language.terms import extract_terms, stem_word
from tacit.language.transcript import SentenceSource, TranscriptSentence

# Cue phrases.


_WORD = re.compile(r"[^\W_]+")


def to_words(text: str) -> list[str]:
    """Split a text into words as the cue phrases are written."""
    return _WORD.findall(text.casefold())


@dataclass(frozen=True, slots=True)
class PhraseList:
    """Words and phrases, any of which is enough for a match."""

    single: frozenset[str]
    first: frozenset[str]
    phrases: Mapping[str, Sequence[str]]
    """Phrases by their first word."""

    def occur_in(self, said: Sequence[str]) -> bool:
        """Whether one of them occurs among these words."""
        if not self.single.isdisjoint(said):
            return True
        if self.first.isdisjoint(said):
            return False
        joined = f" {' '.join(said)} "
        first = self.first.intersection(said)
        return any(phrase in joined for word in first for phrase in self.phrases[word])


def _parse_phrases(table: str) -> PhraseList:
    listed = [to_words(phrase) for phrase in table.replace("\n", "|").split("|")]
    phrases: dict[str, list[str]] = defaultdict(list)
    for phrase in listed:
        if len(phrase) > 1:
            phrases[phrase[0]].append(f" {' '.join(phrase)} ")
    single = frozenset(phrase[0] for phrase in listed if len(phrase) == 1)
    return PhraseList(single, frozenset(phrases), dict(phrases))


DECISIONS = _parse_phrases("""
    decided | decision | we agreed | agreed to | agreed on | agreed that | settled on | going with
    go with | let's use | let's keep | let's go | let us use | we'll use | we will use
    we'll keep | we will keep | we are using | switched to | switch to | chose | chosen | opted for
    approved | rejected | the plan is | from now on | instead of using | must not | ruled out
    entschieden | beschlossen | entscheidung | wir nehmen | wir verwenden | einigten uns | ab jetzt
    décidé | décision | on prend | nous utiliserons | nous allons utiliser | convenu | désormais
    decidido | decidimos | decisión | vamos a usar | usaremos | acordamos | acordado | elegimos
    """)
"""A choice that was made."""

FIRST_PERSON = _parse_phrases("""
    i | my | mine | we | our | ich | mein | meine | wir
    unser | unsere | je | j'ai | mon | ma | mes | nous | notre | nos | yo | mi | mis | nosotros
    nuestro | nuestra | tengo | soy | prefiero
    """)
"""Someone speaks of themselves."""

LASTING = _parse_phrases("""
    prefer | prefers | preferred | favorite | favourite | always | never | allergic | must
    deadline | due | because | so that | since then | requires | need to | needs to | bug | error
    fixed | failed | root cause | bevorzuge | lieblings | immer | niemals | weil | muss | frist
    préfère | toujours | jamais | parce que | car | doit | échéance | prefiero | siempre | nunca
    porque | debe | plazo
    """)
"""Something that holds for longer: a preference, an obligation, a reason, a cause."""

DEFERRALS = _parse_phrases("""
    don't know | do not know | not sure | no idea | let me check | let me find out | will find out
    i'll find out | i'll check | get back to you | have to ask | weiß nicht | keine ahnung
    je ne sais pas | aucune idée | no sé | ni idea
    """)
"""A question that is put off."""

FILLER = frozenset(
    to_words("""
    thank thanks thx please welcome hello hi hey bye goodbye great good nice cool awesome
    amazing wow wonderful fantastic excellent perfect glad happy love lovely sure ok okay
    yes yeah yep no nope right well oh ah haha lol really very so much definitely absolutely
    totally exactly sound sounds look looks see know think thing things get got make makes
    go going want like just let lets s t m re ve ll d don didn doesn isn won can could would
    should may might must will inspire inspiring proud keep care take talk chat catch soon
    later guess bet agree hear hope wish best luck fun super pretty lot lots way bit kind
    sort time day always never ever even still too also help helpful feel feels danke bitte
    hallo tschüss gut merci bonjour salut bien gracias hola adiós bueno vale sorry anything
    something everything up new done understood noted meet
    """)
)
"""Words that say little anywhere."""


# Open questions.


_MIN_QUESTION_TERMS = 2
"""The fewest terms of a question that asks for something."""


def find_open_questions(
    found: Sequence[TranscriptSentence], termed: Sequence[tuple[str, ...]]
) -> frozenset[int]:
    """Find questions that nobody answered, or whose answer was put off."""
    asked = [
        place
        for place, sentence in enumerate(found)
        if sentence.is_question and len(termed[place]) >= _MIN_QUESTION_TERMS
    ]
    later = _LaterSpeech(found, frozenset[str]().union(*(termed[place] for place in asked)))
    open_: set[int] = set()
    end = len(found)
    for place in reversed(asked):
        for after in range(end - 1, place, -1):
            later.hear(after, found[after], termed[after])
        end = place + 1
        if _is_open(found, place, termed[place], later):
            open_.add(place)
    return frozenset(open_)


class _LaterSpeech:
    """What is said after a place in the transcript, read from the end."""

    def __init__(self, found: Sequence[TranscriptSentence], wanted: frozenset[str]) -> None:
        self._found = found
        self._wanted = wanted
        self._speaking_of: dict[str, set[str]] = defaultdict(set)
        self._next: list[int] = []
        """Where the next speaker begins, and the next one who is somebody else."""
        self._put_off: dict[int, bool] = {}

    def hear(self, place: int, sentence: TranscriptSentence, terms: tuple[str, ...]) -> None:
        """Add a sentence that stands before all those added so far."""
        if sentence.source is SentenceSource.TOOL:
            return
        goes_on = self._next and self._found[self._next[0]].speaker == sentence.speaker
        self._next = [place, *(self._next[1:] if goes_on else self._next[:1])]
        if not sentence.is_question:
            for term in self._wanted.intersection(terms):
                self._speaking_of[term].add(sentence.speaker)

    def reply_to(self, speaker: str) -> int | None:
        """Return where someone else speaks next."""
        return next((at for at in self._next if self._found[at].speaker != speaker), None)

    def is_put_off(self, reply: int) -> bool:
        """Whether the turn that begins here puts the question off."""
        turn = self._found[reply].turn
        if turn not in self._put_off:
            self._put_off[turn] = any(
                DEFERRALS.occur_in(to_words(said)) for said in self._said(reply)
            )
        return self._put_off[turn]

    def _said(self, start: int) -> Iterator[str]:
        """Yield the sentences of a turn from here on."""
        turn = self._found[start].turn
        for place in range(start, len(self._found)):
            if self._found[place].turn != turn:
                return
            yield self._found[place].text

    def takes_up(self, terms: tuple[str, ...], speaker: str) -> bool:
        """Whether someone else mentions any of these terms."""
        heard = (self._speaking_of[term] for term in terms)
        return any(len(others) > 1 or not others <= {speaker} for others in heard)


def _is_open(
    found: Sequence[TranscriptSentence], place: int, terms: tuple[str, ...], later: _LaterSpeech
) -> bool:
    """Whether nobody replied, the reply puts the question off, or it was passed over."""
    asked = found[place]
    reply = later.reply_to(asked.speaker)
    if reply is None or later.is_put_off(reply):
        return True
    if asked.is_last and asked.source is not SentenceSource.CARRIED:
        return False
    return not later.takes_up(terms, asked.speaker)


# Scores.


_FIGURE = re.compile(r"\d")
_CODE = re.compile(r"[/_`]|\w\.\w")
_SAMPLE = 2_000
_SOURCE_FACTORS = {SentenceSource.SAID: 1.0, SentenceSource.TOOL: 0.5, SentenceSource.CARRIED: 1.6}
_DECISION_FACTOR = 2.0
_LASTING_FACTOR = 1.2
_FIRST_PERSON_FACTOR = 1.4
_FIGURE_FACTOR = 1.2
_NAME_FACTOR = 1.1
_OPEN_QUESTION_FACTOR = 1.8
_MAX_ANSWER_TERMS = 2
"""An answer with so few terms says nothing without its question."""


class SummarySection(StrEnum):
    """The kind of a sentence, and the heading it stands under."""

    DECISION = "Decisions:"
    FACT = "Facts:"
    QUESTION = "Open questions:"


class ScoredSentence(NamedTuple):
    """A sentence with its terms and its score factor."""

    place: int
    sentence: TranscriptSentence
    group: SummarySection
    factor: float
    terms: tuple[str, ...]
    """Each once, in order: sums over them must not depend on how a process hashes."""
    context: int | None = None
    """The place of the question without which a short answer says nothing."""


def score_sentences(found: Sequence[TranscriptSentence]) -> list[ScoredSentence]:
    """Score each sentence: its terms, its section and its factor."""
    said = [to_words(sentence.text) for sentence in found]
    termed = _sentence_terms(said)
    open_ = find_open_questions(found, termed)
    return [
        _score_sentence(place, found, termed, said[place], place in open_)
        if termed[place]
        else ScoredSentence(place, sentence, SummarySection.FACT, 0.0, termed[place])
        for place, sentence in enumerate(found)
    ]


def _score_sentence(
    place: int,
    found: Sequence[TranscriptSentence],
    termed: Sequence[tuple[str, ...]],
    said: Sequence[str],
    is_open: bool,
) -> ScoredSentence:
    """Score a sentence with terms; a single term counts only as a name or an answer."""
    sentence = found[place]
    context = _question_before(found, termed, place)
    group, factor = _classify_sentence(sentence, said, is_open)
    if len(termed[place]) == 1 and context is None and not _has_name(sentence.text):
        factor = 0.0
    return ScoredSentence(place, sentence, group, factor, termed[place], context)


def weigh_terms(values: Sequence[ScoredSentence]) -> dict[str, float]:
    """Weigh each term: rarer terms weigh more, and repeated ones more than single ones."""
    counts = Counter(term for value in values for term in value.terms)
    total = len(values) + 1
    return {term: _term_weight(count, total) for term, count in counts.items()}


def _term_weight(count: int, total: int) -> float:
    return math.log(total / count) * (1 + math.log(count))


def _sentence_terms(said: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Extract the terms of each sentence, in the language that the transcript begins in."""
    language = guess_language(islice(chain.from_iterable(said), _SAMPLE))
    distinct = set(chain.from_iterable(said)) - STOP_WORDS - FILLER
    stemmed = {word: _stems_of(word, language) for word in distinct}
    return [
        tuple({term: None for word in listed if word in stemmed for term in stemmed[word]})
        for listed in said
    ]


def _stems_of(word: str, language: str) -> tuple[str, ...]:
    return (stem_word(word, language),) if word.isascii() else tuple(extract_terms(word))


def _classify_sentence(
    sentence: TranscriptSentence, said: Sequence[str], is_open: bool
) -> tuple[SummarySection, float]:
    """Return the section of a sentence, and the factor from its cue phrases."""
    factor = _SOURCE_FACTORS[sentence.source]
    if sentence.is_question:
        return (
            (SummarySection.QUESTION, factor * _OPEN_QUESTION_FACTOR)
            if is_open
            else (SummarySection.FACT, 0.0)
        )
    factor *= _LASTING_FACTOR if LASTING.occur_in(said) else 1
    factor *= _FIRST_PERSON_FACTOR if FIRST_PERSON.occur_in(said) else 1
    factor *= _FIGURE_FACTOR if _FIGURE.search(sentence.text) else 1
    factor *= _NAME_FACTOR if _has_name(sentence.text) else 1
    if DECISIONS.occur_in(said):
        return SummarySection.DECISION, factor * _DECISION_FACTOR
    return SummarySection.FACT, factor


def _has_name(text: str) -> bool:
    """Whether a sentence contains a capital, a path or an identifier."""
    within = text[1:].replace(" I ", " ").replace(" I'", " ")
    return not within.islower() or _CODE.search(within) is not None


def _question_before(
    found: Sequence[TranscriptSentence], termed: Sequence[tuple[str, ...]], place: int
) -> int | None:
    if not place or len(termed[place]) > _MAX_ANSWER_TERMS or found[place].is_question:
        return None
    before = found[place - 1]
    asked = before.is_question and before.turn == found[place].turn - 1
    return place - 1 if asked and termed[place - 1] else None
