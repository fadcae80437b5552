"""What a clause says of its subject by a verb or participle that has one value at a time."""

from tacit.language.statements.clause import Clause, Words, functional
from tacit.language.statements.names import is_capital
from tacit.language.statements.statement import Statement
from tacit.language.statements.subjects import subject
from tacit.language.statements.values import is_quantity
from tacit.language.statements.verbs import (
    BEING,
    CLASSIFIERS,
    FOREIGN_PREPOSITIONS,
    FORMS,
    HELD,
    LINKS,
    MADE,
    MEASURES,
    MERGED,
    ONCE,
    PASSING,
    STATES,
)
from tacit.language.statements.vocabulary import ARTICLES, DEFINITE, PLURAL_SPEAKERS, PREPOSITIONS
from tacit.language.statements.words import normal


def of_a_kind(clause: Clause) -> Statement | None:
    """`Ann plays the position of goalkeeper`."""
    words = clause.words
    for place in range(len(words) - 4, 1, -1):
        noun = _classifier(words, place)
        if noun is None:
            continue
        verb = place - 2 if words[place - 1].folded in PREPOSITIONS else place - 1
        start = verb - 1 if words[verb - 1].folded in BEING else verb
        if start > 0 and not is_capital(words[verb]) and words[verb].folded not in PASSING:
            about = subject(words[:start], clause.speaker, whole_names=True)
            attribute = normal([*words[verb:place], words[noun]])
            return functional(about, attribute, words[noun + 2 :])
    return None


def by_participle(clause: Clause) -> Statement | None:
    """`Acme was founded by Ann`, `Ann is married to Ben`."""
    words = clause.words
    for place in range(len(words) - 2, 0, -1):
        if words[place].folded in BEING and not is_capital(words[place]):
            found = _predicate(words, place)
            if found is not None:
                verb, value = found
                about = subject(words[:place], clause.speaker, whole_names=True)
                return functional(about, verb, words[value:])
    return None


def by_state(clause: Clause) -> Statement | None:
    """`Ann lives in Berlin`, `the key rotates every 30 days`."""
    words = clause.words
    for place in range(1, len(words) - 1):
        verb, is_bare = FORMS.get(words[place].text, ("", False))
        if verb and (not is_bare or _takes_bare_verb(clause, place)):
            found = _state(clause, place, verb)
            if found is not None:
                return found
    return None


def _classifier(words: Words, place: int) -> int | None:
    """Where the noun of `the city of` is, if that stands here."""
    if words[place].folded not in DEFINITE:
        return None
    for noun in (place + 1, place + 2):
        if noun + 2 < len(words) and words[noun].folded in CLASSIFIERS:
            return noun if words[noun + 1].folded in LINKS else None
    return None


def _predicate(words: Words, copula: int) -> tuple[str, int] | None:
    """The attribute after a form of being, and where its value begins."""
    head = copula + 1
    if words[head].folded in ARTICLES:
        head += 1
    if head + 1 >= len(words) or is_capital(words[head]):
        return None
    participle, link = words[head].folded, words[head + 1].folded
    if _allowed(participle, link, is_past=BEING[words[copula].folded] == "was"):
        return (participle if participle in MERGED else f"{participle} {link}", head + 2)
    if "" in HELD.get(participle, ()) and link not in PREPOSITIONS:
        return participle, head + 1
    return None


def _allowed(participle: str, link: str, is_past: bool) -> bool:
    if participle in MADE and link == "by":
        return True
    if link in ONCE.get(participle, ()):
        return True
    return bool(link) and not is_past and link in HELD.get(participle, ())


def _takes_bare_verb(clause: Clause, place: int) -> bool:
    return clause.takes_bare_verb or clause.words[place - 1].folded in PLURAL_SPEAKERS


def _folded(words: Words) -> list[str]:
    return [word.folded for word in words]


def _state(clause: Clause, place: int, verb: str) -> Statement | None:
    words = clause.words
    link = FOREIGN_PREPOSITIONS.get(words[place + 1].folded, words[place + 1].folded)
    links = STATES[verb]
    if link not in links and ("" not in links or link in PREPOSITIONS):
        return None
    value = words[place + 1 :] if link not in links else words[place + 2 :]
    if verb in MEASURES and not (is_quantity(value) and LINKS.isdisjoint(_folded(value))):
        return None
    about = subject(words[:place], clause.speaker, whole_names=True)
    return functional(about, f"{verb} {link}" if link in links else verb, value)
