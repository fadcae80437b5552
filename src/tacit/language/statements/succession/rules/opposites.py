"""The same said with another word of which only one holds at a time."""

from collections.abc import Iterator
from typing import NamedTuple

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.domains import DOMAINS
from tacit.language.statements.succession.holdings import Slot, holdings
from tacit.language.statements.succession.lexicon import SETTING
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.parts import LINKS
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import (
    NO_TOPIC,
    PERSON_STEMS,
    Topic,
    is_same,
    topic,
)
from tacit.language.statements.succession.verbs import NEWS
from tacit.language.statements.succession.wording import Tokens

_OF_PERSONS = frozenset(("bond", "employment", "diet", "place of work"))
_PREDICATES = frozenset(("bond", "employment", "diet", "status", "fit"))
"""Domains whose words count where they are said of the subject."""

_CHOOSING = word_set(
    "prefer keep want make write give like be have get choose go take reply use eat"
)
_LIKING = word_set("like love enjoy hate dislike wear buy own have")
_SHADES = word_set("dark light pale bright deep soft warm lime sage forest sky baby hot")
_LINKING = word_set("be get become go stay turn eat")


class _Said(NamedTuple):
    domain: str
    value: str
    about: Topic


def has_another_word(was: Told, now: Told) -> bool:
    """Whether both say of the same thing words of one domain, and not the same one."""
    before = list(_said(was))
    if not before or (was.has(Mark.DENIED) and now.has(Mark.DENIED)):
        return False
    held = {(old.domain, old.value) for old in before}
    is_turned_round = was.has(Mark.DENIED) or now.has(Mark.DENIED)
    return any(
        old.domain == new.domain
        and ((new.domain, new.value) in held) == is_turned_round
        and is_same(old.about, new.about, now.is_change)
        for new in _said(now)
        for old in before
    )


def _said(clause: Told) -> Iterator[_Said]:
    for place, token in enumerate(clause.tokens):
        domain, value = DOMAINS.get(token.key, ("", ""))
        if clause.parts is not None and place < len(clause.parts.subject):
            continue
        if not domain or (domain in _PREDICATES and not _is_predicate(clause.tokens, place)):
            continue
        if domain == "color" and not clause.keys.isdisjoint(_LIKING):
            continue
        about = _about(clause, place, domain)
        if domain == "bond" and not _is_of_a_person(clause, about):
            continue
        if domain == "diet" and any(token.figure for token in clause.tokens):
            continue
        if about.words or domain in _OF_PERSONS:
            yield _Said(domain, value, about)
    if _has_work(clause) and not clause.has(Mark.DENIED):
        yield _Said("employment", "employed", topic(clause.parts.subject if clause.parts else ()))


def _is_of_a_person(clause: Told, about: Topic) -> bool:
    """Whether who speaks, somebody with a name or a relative is spoken of, and nothing else."""
    return about.words <= about.names | PERSON_STEMS and (bool(about.words) or bool(clause.person))


def _has_work(clause: Told) -> bool:
    is_joining = clause.parts is not None and clause.parts.verb == "join"
    return is_joining or any(each.slot is Slot.WORK for each in holdings(clause))


def _about(clause: Told, place: int, domain: str) -> Topic:
    if domain == "bond" and clause.person == "i":
        return NO_TOPIC
    is_being = clause.parts is not None and clause.parts.verb == "be" and not clause.parts.link
    if domain in ("bond", "employment", "diet") or (domain == "color" and is_being):
        return topic(clause.parts.subject if clause.parts else (), _CHOOSING)
    if domain == "status" and clause.parts is not None:
        figures = (token for token in clause.tokens if token.figure is not None)
        return topic((*clause.parts.subject, *figures))
    said = clause.tokens[place]
    others = [
        token
        for token in clause.unchanging
        if token is not said
        and (domain in _PREDICATES or DOMAINS.get(token.key, ("",))[0] != domain)
    ]
    shades = _SHADES if domain == "color" else frozenset[str]()
    about = topic(others, SETTING, _CHOOSING, shades)
    verb = clause.parts.verb if clause.parts else ""
    return about if about.words or not verb else Topic(frozenset((verb,)))


def domain_of(key: str) -> str:
    """The domain of a word; empty if it has none."""
    return DOMAINS.get(key, ("", ""))[0]


def _is_predicate(tokens: Tokens, place: int) -> bool:
    """Whether a word ends what is said of the subject, as in `is married to`."""
    key = tokens[place].key
    if key in NEWS:
        return place == 0 or tokens[place - 1].key not in LINKS
    following = tokens[place + 1 : place + 2]
    if domain_of(key) == "diet" and any(token.key == "diet" for token in following):
        return True
    if key == "seeing" and not any(token.is_name for token in following):
        return False
    before = place - 1
    while before > 0 and tokens[before].key in ("a", "an", "fully", "very", "still", "open"):
        before -= 1
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    ends = (
        after is None
        or after.figure is not None
        or after.key in LINKS
        or after.key in ("and", "but")
    )
    if domain_of(key) == "bond":
        ends = True
    return ends and before >= 0 and tokens[before].key in _LINKING
