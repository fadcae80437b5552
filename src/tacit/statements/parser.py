"""Parse a text into statements, and into what must agree before two texts can mean the same."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tacit.language.vocabulary import (
    ARTICLES,
    BOUNDARIES,
    CONDITIONS,
    DEFINITE,
    PLURAL_SPEAKERS,
    PREPOSITIONS,
    RELATIVES,
    word_set,
)
from tacit.statements.clauses import (
    Clause,
    ClauseSubject,
    Statement,
    Words,
    build_statement,
    find_subject,
    is_concrete,
    is_description,
    is_quantity,
    is_single_value,
    split_clauses,
    split_value,
)
from tacit.statements.verbs import (
    BEING,
    CHOOSING,
    CLASSIFIERS,
    COPULAS,
    DECIDING,
    ENGLISH_BEING,
    FOREIGN_PREPOSITIONS,
    FORMS,
    HELD,
    LINKS,
    MADE,
    MANY,
    MEASURES,
    MERGED,
    ONCE,
    ONLY,
    PASSING,
    PLURAL_COPULAS,
    PURPOSES,
    QUALITIES,
    RIVALRY,
    STATES,
)
from tacit.statements.words import (
    Word,
    find_figures,
    find_names,
    has_phrase_at,
    is_capitalized,
    normalize_text,
    parse_sentences,
    split_speaker,
    to_normal_form,
)

# Choices: what someone uses or prefers, for a purpose or over something else.


_SOMEONE = ClauseSubject("", "", False)
"""The subject of an imperative."""


def read_choice(clause: Clause) -> Statement | None:
    """Read `We use MySQL for billing`, `Ann prefers tea over coffee`."""
    words = clause.words
    for place, word in enumerate(words[:-1]):
        attribute = CHOOSING.get(word.folded, "")
        if attribute and (place == 0 or not is_capitalized(word)):
            about = _chooser(clause, place)
            return _chosen_over(about, attribute, words[place + 1 :]) or _chosen_for(
                about, attribute, words[place + 1 :]
            )
    return None


def _chooser(clause: Clause, verb: int) -> ClauseSubject | None:
    if verb > 2 and clause.words[verb - 2].folded in DECIDING:
        verb -= 2
    return find_subject(clause.words[:verb], clause.speaker) if verb else _SOMEONE


def _chosen_for(about: ClauseSubject | None, attribute: str, words: Words) -> Statement | None:
    for place in range(1, len(words) - 1):
        if words[place].folded in PURPOSES:
            purpose, qualifiers = split_value(words[place + 1 :])
            attribute = f"{attribute} for {to_normal_form([*purpose, *qualifiers])}"
            return build_statement(about, attribute, words[:place])
    return None


def _chosen_over(about: ClauseSubject | None, attribute: str, words: Words) -> Statement | None:
    """Read a choice of two; the pair is the attribute, so that the reverse conflicts with it."""
    for place in range(1, len(words) - 1):
        for phrase in RIVALRY:
            if has_phrase_at(words, place, phrase) and (attribute == "prefer" or phrase != ("to",)):
                return _choice_of_two(about, attribute, words[:place], words[place + len(phrase) :])
    return None


def _choice_of_two(
    about: ClauseSubject | None, verb: str, chosen: Words, rest: Words
) -> Statement | None:
    end = next((place for place, word in enumerate(rest) if word.folded in PURPOSES), len(rest))
    if about is None or not is_single_value(chosen) or not end:
        return None
    pair = " / ".join(sorted((to_normal_form(chosen), to_normal_form(rest[:end]))))
    attribute = f"{verb} {pair} {to_normal_form(rest[end:])}".rstrip()
    return Statement(about.entity, attribute, to_normal_form(chosen), is_functional=True)


# Copulas: a definite attribute has one value, a class or description rules out none.


_PLACES = frozenset(("in", "on", "at", "under"))
_EXTENTS = word_set("old tall high long wide heavy away")


def read_copula(clause: Clause) -> Statement | None:
    """Read `The capital of France is Paris`, `Paris is the capital of France`."""
    words = clause.words
    place = _find_copula(words, ENGLISH_BEING) or _find_copula(words, BEING)
    if place is None:
        return None
    form = words[place].folded
    about = find_subject(words[:place], clause.speaker)
    value = words[place + 1 :]
    if about is None:
        return None
    if form in PLURAL_COPULAS:
        return _read_direct(about, PLURAL_COPULAS[form], value) if is_quantity(value) else None
    return _read_inverted(words[:place], COPULAS[form], value) or _read_direct(
        about, COPULAS[form], value
    )


def _find_copula(words: Words, forms: Collection[str]) -> int | None:
    """Find the last form of `be` before anything that begins another clause."""
    found = None
    for place in range(1, len(words) - 1):
        folded = words[place].folded
        if words[place].text != folded:
            continue
        if folded in forms:
            found = place
        elif found is not None and (folded in BOUNDARIES or folded in RELATIVES):
            break
    return found


def _read_direct(about: ClauseSubject, tense: str, value: Words) -> Statement | None:
    if not _has_single_value(about, value):
        return None
    verb = tense or ("" if about.attribute else "is")
    if value[0].folded in _PLACES and len(value) > 1:
        return build_statement(about, f"{verb or 'is'} {value[0].folded}", value[1:])
    if value[-1].folded in _EXTENTS:
        return build_statement(about, f"{verb} {value[-1].folded}".lstrip(), value[:-1])
    return build_statement(about, verb, value)


def _has_single_value(about: ClauseSubject, value: Words) -> bool:
    """Whether the subject can have only one such value."""
    if value[0].folded in _PLACES and not is_capitalized(value[0]):
        return about.is_definite or is_quantity(value[1:])
    if is_quantity(value):
        return True
    if value[0].folded in PREPOSITIONS:
        return False
    nouns = about.attribute.split() or about.entity.split()
    if not about.is_definite:
        return nouns[-1] in QUALITIES
    if nouns[-1] in MANY and ONLY.isdisjoint(nouns):
        return False
    if not QUALITIES.isdisjoint(nouns) or not ONLY.isdisjoint(nouns):
        return True
    return not is_description(value) and (bool(about.attribute) or is_concrete(value))


def _read_inverted(words: Words, tense: str, value: Words) -> Statement | None:
    if len(value) < 4 or value[0].text not in DEFINITE or not is_single_value(words):
        return None
    about = find_subject(value, "")
    if about is None or not about.attribute or not is_capitalized(words[0]):
        return None
    return build_statement(about, tense, words)


# Predicates: verbs and participles that have one value at a time.


def read_classifier(clause: Clause) -> Statement | None:
    """Read `Ann plays the position of goalkeeper`."""
    words = clause.words
    for place in range(len(words) - 4, 1, -1):
        noun = _find_classifier(words, place)
        if noun is None:
            continue
        verb = place - 2 if words[place - 1].folded in PREPOSITIONS else place - 1
        start = verb - 1 if words[verb - 1].folded in BEING else verb
        if start > 0 and not is_capitalized(words[verb]) and words[verb].folded not in PASSING:
            about = find_subject(words[:start], clause.speaker, whole_names=True)
            attribute = to_normal_form([*words[verb:place], words[noun]])
            return build_statement(about, attribute, words[noun + 2 :])
    return None


def read_participle(clause: Clause) -> Statement | None:
    """Read `Acme was founded by Ann`, `Ann is married to Ben`."""
    words = clause.words
    for place in range(len(words) - 2, 0, -1):
        if words[place].folded in BEING and not is_capitalized(words[place]):
            found = _find_predicate(words, place)
            if found is not None:
                verb, value = found
                about = find_subject(words[:place], clause.speaker, whole_names=True)
                return build_statement(about, verb, words[value:])
    return None


def read_state(clause: Clause) -> Statement | None:
    """Read `Ann lives in Berlin`, `the key rotates every 30 days`."""
    words = clause.words
    for place in range(1, len(words) - 1):
        verb, is_bare = FORMS.get(words[place].text, ("", False))
        takes_bare = clause.takes_bare_verb or words[place - 1].folded in PLURAL_SPEAKERS
        if verb and (not is_bare or takes_bare):
            found = _read_state_at(clause, place, verb)
            if found is not None:
                return found
    return None


def _find_classifier(words: Words, place: int) -> int | None:
    """Return where the noun of `the city of` stands, if that phrase begins here."""
    if words[place].folded not in DEFINITE:
        return None
    for noun in (place + 1, place + 2):
        if noun + 2 < len(words) and words[noun].folded in CLASSIFIERS:
            return noun if words[noun + 1].folded in LINKS else None
    return None


def _find_predicate(words: Words, copula: int) -> tuple[str, int] | None:
    """Return the attribute after a form of `be`, and where its value begins."""
    head = copula + 1
    if words[head].folded in ARTICLES:
        head += 1
    if head + 1 >= len(words) or is_capitalized(words[head]):
        return None
    participle, link = words[head].folded, words[head + 1].folded
    if _takes_link(participle, link, is_past=BEING[words[copula].folded] == "was"):
        return (participle if participle in MERGED else f"{participle} {link}", head + 2)
    if "" in HELD.get(participle, ()) and link not in PREPOSITIONS:
        return participle, head + 1
    return None


def _takes_link(participle: str, link: str, is_past: bool) -> bool:
    if participle in MADE and link == "by":
        return True
    if link in ONCE.get(participle, ()):
        return True
    return bool(link) and not is_past and link in HELD.get(participle, ())


def _read_state_at(clause: Clause, place: int, verb: str) -> Statement | None:
    words = clause.words
    link = FOREIGN_PREPOSITIONS.get(words[place + 1].folded, words[place + 1].folded)
    links = STATES[verb]
    if link not in links and ("" not in links or link in PREPOSITIONS):
        return None
    value = words[place + 1 :] if link not in links else words[place + 2 :]
    is_plain = LINKS.isdisjoint(word.folded for word in value)
    if verb in MEASURES and not (is_quantity(value) and is_plain):
        return None
    about = find_subject(words[:place], clause.speaker, whole_names=True)
    return build_statement(about, f"{verb} {link}" if link in links else verb, value)


# Texts.


STATEMENTS_VERSION = 3
"""Raised whenever `find_claims` changes what it returns; a store then recomputes its claims."""

MAX_CHARACTERS = 2_000
"""How much of a text is parsed."""

_MAX_CLAUSES = 8
_READERS = (read_classifier, read_choice, read_participle, read_state, read_copula)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedText:
    """What a text says, as far as it can be told without a model."""

    statements: tuple[Statement, ...]
    numbers: frozenset[str]
    dates: frozenset[str]
    names: frozenset[str]
    is_negated: bool
    core: tuple[str, ...]


def parse_text(text: str) -> ParsedText:
    """Parse the beginning of a text, at most `MAX_CHARACTERS` of it."""
    return _parse_text(text[:MAX_CHARACTERS])


def find_claims(text: str) -> tuple[str, ...]:
    """Return what another text must share to conflict with this one; a store finds rivals by it."""
    return tuple(dict.fromkeys(statement.claim for statement in parse_text(text).statements))


@lru_cache(maxsize=8_192)
def _parse_text(text: str) -> ParsedText:
    speaker, said = split_speaker(normalize_text(text))
    figured = find_figures(said)
    found = parse_sentences(figured.text)
    parts = [
        (clause, sentence.is_question)
        for sentence in found
        for clause in split_clauses(sentence.words, speaker)
    ]
    told = [clause for clause, asks in parts[:_MAX_CLAUSES] if not asks]
    return ParsedText(
        statements=tuple(dict.fromkeys(_read_statement(clause) for clause in told)),
        numbers=figured.numbers,
        dates=figured.dates,
        names=find_names(found),
        is_negated=any(clause.is_negated for clause, _ in parts),
        core=tuple(word for clause, _ in parts for word in _core_words(clause)),
    )


def _read_statement(clause: Clause) -> Statement:
    """Read the statement of a clause; in an unknown form, all its words are one value."""
    if not _is_conditional(clause.words):
        for find in _READERS:
            if (found := find(clause)) is not None:
                return found.with_polarity(clause.is_negated)
    return Statement("", "", " ".join(_core_words(clause)), is_negated=clause.is_negated)


def _is_conditional(words: Sequence[Word]) -> bool:
    """Whether a clause is conditional; `When Harry Met Sally` is a name."""
    if any(word.folded in CONDITIONS and not is_capitalized(word) for word in words):
        return True
    return len(words) > 1 and words[0].folded in CONDITIONS and not is_capitalized(words[1])


def _core_words(clause: Clause) -> Iterator[str]:
    return (to_singular(word.folded) for word in clause.words if word.folded not in ARTICLES)


@lru_cache(maxsize=32_768)
def to_singular(folded: str) -> str:
    """Remove the ending of a plural or a third person."""
    if len(folded) < 4 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    if folded.endswith("ies"):
        return folded[:-3] + "y"
    return folded[:-2] if folded.endswith(("xes", "ches", "shes", "sses")) else folded[:-1]
