"""What a clause says that something has, by its verb: a place, a tool, somebody in charge."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.domains import DOMAINS
from tacit.language.statements.succession.jobs import BEGINNERS, is_job
from tacit.language.statements.succession.parts import Parts
from tacit.language.statements.succession.places import BROAD
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.tools import KINDS
from tacit.language.statements.succession.topics import (
    NO_TOPIC,
    NOTHING,
    Stems,
    Topic,
    content,
    names,
    tools,
    topic,
)
from tacit.language.statements.succession.wording import Tokens, canonical
from tacit.language.statements.verbs import ADJECTIVAL_ENDINGS, ADJECTIVES


class Slot(StrEnum):
    """What kind of thing is had."""

    AT = "at"
    WORK = "work"
    USE = "use"
    IS = "is"
    KIND = "kind"
    CHARGE = "charge"
    NAME = "name"
    JOB = "job"
    COAT = "coat"
    STAGE = "stage"
    THING = "thing"
    VEHICLE = "vehicle"


class Holding(NamedTuple):
    """Something that something has."""

    slot: Slot
    about: Topic
    value: Stems
    names: Stems = NOTHING
    tools: Stems = NOTHING
    is_job: bool = False
    is_noun: bool = False
    is_beginner: bool = False
    is_figure: bool = False

    @property
    def is_broad(self) -> bool:
        """Whether it is a country, in which one can be and in one of its towns too."""
        return not self.value.isdisjoint(BROAD)


STOPS = word_set("""
    for because which that who where with since while so after before during until when if to from
    as by every insteadof infavourof
    """)
"""Words at which a value ends."""

_PLACES = {
    "live": "in at on under", "reside": "in at", "settle": "in", "base": "in at on",
    "locate": "in at on", "situate": "in at on", "host": "in at on with by",
    "store": "in at on under with", "keep": "in at on under with", "sit": "in on at",
    "deploy": "in on to at", "stay": "in at", "rent": "in",
}  # fmt: skip
_ACTIVE_PLACES = word_set("live reside settle sit host deploy stay")
_EMPLOYERS = {
    "work": "at for with", "employ": "at by with", "teach": "at", "study": "at", "train": "at",
    "coach": "at", "play": "for", "drive": "for", "write": "for",
}  # fmt: skip
_USES = {
    "use": "", "run": "on with", "write": "in with", "build": "in with on",
    "develop": "in with on under", "power": "by", "code": "in with", "host": "on with in",
    "deploy": "on to with in", "rely": "on", "test": "with in", "handle": "by with",
    "document": "in", "track": "in with", "keep": "in", "store": "in", "monitor": "with",
    "send": "with via to", "edit": "in with", "pay": "with", "go": "to", "answer": "in",
    "manage": "with in", "read": "on in",
    "reply": "in", "respond": "in", "speak": "in", "communicate": "in",
}  # fmt: skip
_CHARGES = {
    "own": "owner", "lead": "lead", "head": "lead", "manage": "manag", "chair": "chair",
    "maintain": "maintain", "handle": "owner", "takeover": "owner", "run": "owner",
    "coach": "coach",
}  # fmt: skip
_POSSESSIONS = frozenset(
    map(
        canonical,
        word_set("""
            car bike phone laptop computer camera watch guitar tablet tv motorbike scooter van
            auto wagen handy fahrrad rad voiture vélo téléphone coche móvil bicicleta moto
            """),
    )
)
"""Things of which people have one."""

_STAGES = frozenset(("plan", "tier", "mode", "phase", "stage", "level"))
_GROUPS = frozenset(("team", "squad", "group", "depart", "guild", "crew", "divis", "unit"))
_PRONOUNS = word_set("i we you user")
_NAMING = frozenset(("call", "called", "name", "named", "in", "at", "on", "near"))
_PLACING = frozenset(("in", "on", "at"))
_SPEAKING = word_set("answer reply respond speak communicate")
_OWNERS = word_set("the our my user")


def holdings(clause: Told) -> Iterator[Holding]:
    """What a clause gives a value to."""
    parts = clause.parts
    if parts is None:
        return
    for find in (_place, _employer, _use, _being, _charge, _named, _job, _thing):
        yield from find(parts)


def head(tokens: Tokens, stops: frozenset[str] = STOPS) -> tuple[Tokens, Tokens]:
    """The value that words begin with, and what follows it."""
    for place, token in enumerate(tokens):
        if place and (token.key in stops or tokens[place - 1].pauses):
            return tokens[:place], tokens[place:]
    return tokens, ()


def _held(slot: Slot, about: Topic, value: Tokens) -> Iterator[Holding]:
    if slot is Slot.USE and len(value) == 1 and value[0].key in KINDS:
        value = (value[0]._replace(is_name=True),)
    if value:
        yield Holding(
            slot,
            about,
            content(value),
            _own_names(value),
            tools(value),
            is_job(value),
            _is_noun(value),
            any(token.key in BEGINNERS for token in value),
            any(token.figure is not None for token in value) and not names(value),
        )


def _own_names(value: Tokens) -> Stems:
    """The names of a value; `an NGO` is one of many, `a bakery called Crumb` is not."""
    if value[0].key not in ("a", "an"):
        return names(value)
    cuts = [place for place, token in enumerate(value) if token.key in _NAMING]
    return names(value[cuts[0] :]) if cuts else NOTHING


def _is_noun(value: Tokens) -> bool:
    """Whether a value is one word that does not describe."""
    said = [token for token in value if content((token,))]
    if len(said) != 1 or said[0].figure is not None or len(value) > 1:
        return False
    key = said[0].key.casefold()
    return (
        key.isalpha()
        and key not in ADJECTIVES
        and key not in DOMAINS
        and not key.endswith(ADJECTIVAL_ENDINGS)
    )


def _purpose(rest: Tokens, *links: str) -> Topic:
    return topic(rest[1:]) if rest and rest[0].key in links else NO_TOPIC


def _place(parts: Parts) -> Iterator[Holding]:
    """`Ann lives in Bonn`, `the key is kept in the safe`."""
    links = _PLACES.get(parts.verb, "").split()
    if parts.link in links and (parts.is_passive or parts.verb in _ACTIVE_PLACES):
        yield from _held(Slot.AT, topic(parts.subject), head(parts.rest)[0])


def _employer(parts: Parts) -> Iterator[Holding]:
    if parts.link in _EMPLOYERS.get(parts.verb, "").split():
        about = topic(parts.subject)
        if parts.verb not in ("work", "employ"):
            about |= _as(parts.verb)
        yield from _held(Slot.WORK, about, head(parts.rest)[0])


def _use(parts: Parts) -> Iterator[Holding]:
    """`We use X for P`, `X is used for P`, `P runs on X`, `we write P in X`."""
    links = _USES.get(parts.verb)
    if links is None:
        return
    if parts.verb == "use" and parts.is_passive:
        if parts.link in ("for", "as", "to"):
            yield from _held(Slot.USE, topic(parts.rest), parts.subject)
    elif parts.link in links.split(" "):
        value, rest = head(parts.rest, STOPS | _PLACING if parts.verb == "use" else STOPS)
        about = topic(parts.subject) | _purpose(rest, "for", "to", "as", "with", "in", "on", "at")
        if parts.verb in _SPEAKING:
            about |= _as(parts.verb)
        if tools(value) or parts.verb not in _SPEAKING:
            yield from _held(Slot.USE, about, value)
    elif not parts.link and not parts.is_passive:
        yield from _put_to_use(parts, frozenset(links.split()))


def _put_to_use(parts: Parts, links: frozenset[str]) -> Iterator[Holding]:
    for place, token in enumerate(parts.rest):
        if place and token.key in links:
            about = topic(parts.subject) | topic(parts.rest[:place])
            value = head(parts.rest[place + 1 :])[0]
            yield from _held(Slot.USE, about, value)
            if parts.verb in _PLACES:
                yield from _held(Slot.AT, about, value)
            return


def _being(parts: Parts) -> Iterator[Holding]:
    """`The office is in Bonn`, `our database is X`, `I am a cook at Acme`."""
    if parts.verb != "be" or not parts.rest:
        return
    value, rest = head(parts.rest)
    about = topic(parts.subject)
    if parts.link in ("in", "at", "on", "under") and names(value):
        yield from _held(Slot.USE if tools(value) else Slot.AT, about, value)
        if about.words and not tools(value):
            yield from _held(Slot.USE, about, value)
    elif parts.link == "with" and names(value):
        yield from _held(Slot.USE if about.words else Slot.WORK, about, value)
    elif parts.link in ("in", "at", "on") and value[-1].stem in _STAGES:
        yield from _held(Slot.STAGE, about | _as(value[-1].stem), value[:-1])
    elif not parts.link and _PRONOUNS.isdisjoint(token.key for token in parts.subject[1:]):
        is_one_of_many = value[0].key in ("a", "an")
        is_own_job = not about.words and is_job(value)
        slot = (
            Slot.USE if _is_tool(value) else Slot.KIND if is_one_of_many or is_own_job else Slot.IS
        )
        yield from _held(slot, about | _purpose(rest, "for", "of"), value)
        yield from _employed(about, parts.rest)


def _is_tool(value: Tokens) -> bool:
    """Whether a value is a product, not something that is told apart by one."""
    said = [token for token in value if content((token,)) and token.figure is None]
    return bool(said) and bool(tools(said[-1:]))


def _employed(about: Topic, rest: Tokens) -> Iterator[Holding]:
    """`a cook at Acme`."""
    place = next((place for place, token in enumerate(rest) if token.key == "at"), None)
    if place and rest[0].key in ("a", "an", "the"):
        employer = tuple(token for token in head(rest[place + 1 :])[0] if token.is_name)
        yield from _held(Slot.WORK, about, employer)


def _charge(parts: Parts) -> Iterator[Holding]:
    """Who is in charge of what."""
    about, value = topic(parts.subject), head(parts.rest)[0]
    if parts.verb == "be":
        yield from _role(parts)
    elif parts.verb == "reportto":
        yield from _held(Slot.CHARGE, about | _as("manag"), value)
    elif parts.verb == "belong" and parts.link == "to":
        yield from _held(Slot.CHARGE, about | _as("owner"), value)
    elif parts.verb in ("sit", "lie", "rest") and parts.link == "with":
        yield from _held(Slot.CHARGE, about, value)
    elif parts.verb == "takeover" and parts.link:
        yield from _held(Slot.CHARGE, topic(_office(parts)), parts.subject)
    elif parts.verb in _CHARGES:
        yield from _done(parts, about, value)


def _office(parts: Parts) -> Tokens:
    """The office in `took over as treasurer from Ann`, and in `took over from Ann as treasurer`."""
    if parts.link == "as":
        return head(parts.rest)[0]
    place = next((place for place, token in enumerate(parts.rest) if token.key == "as"), None)
    return () if place is None else parts.rest[place + 1 :]


def _done(parts: Parts, about: Topic, value: Tokens) -> Iterator[Holding]:
    """`Ann leads sales`, `sales is led by Ann`."""
    role = _as(_CHARGES[parts.verb])
    if parts.is_passive and parts.link == "by":
        yield from _held(Slot.CHARGE, about | role, value)
    elif not parts.is_passive and not parts.link and _is_somebody(parts):
        yield from _held(Slot.CHARGE, topic(value) | role, parts.subject)


def _as(role: str) -> Topic:
    return Topic(frozenset((role,)))


def _is_somebody(parts: Parts) -> bool:
    """Whether somebody else than who speaks is the subject; databases are run by machines too."""
    subject = parts.subject
    if not content(subject) or not _PRONOUNS.isdisjoint(token.key for token in subject):
        return False
    is_named = subject[0].is_name or subject[-1].stem in _GROUPS
    return is_named or parts.verb in ("own", "lead", "manage", "chair", "maintain", "coach")


def _role(parts: Parts) -> Iterator[Holding]:
    """`Ann is our lead`, `our lead is Ann`, `Ann is in charge of releases`."""
    subject = parts.subject
    if parts.link or not parts.rest or not subject:
        return
    value, rest = head(parts.rest)
    if value[0].key == "incharge":
        yield from _held(Slot.CHARGE, topic(parts.rest), subject)
    elif value[-1].stem == "respons":
        yield from _held(Slot.CHARGE, topic(subject) | _as("owner"), value[:-1])
    elif value[0].key in ("the", "our", "my") and subject[0].is_name and len(subject) < 4:
        more = _purpose(rest, "for", "of", "in", "at")
        yield from _held(Slot.CHARGE, topic(value) | more, subject)
    elif value[0].is_name and (subject[0].key in _OWNERS or is_job(subject)):
        yield from _held(Slot.CHARGE, topic(subject), value)


def _named(parts: Parts) -> Iterator[Holding]:
    """`Our cat is called Tom`, `we call the cat Tom`."""
    if parts.verb not in ("call", "name") or parts.link:
        return
    if parts.is_passive:
        yield from _held(Slot.NAME, topic(parts.subject), head(parts.rest)[0])
    else:
        called = tuple(token for token in parts.rest if token.is_name)
        about = topic(token for token in parts.rest if not token.is_name)
        yield from _held(Slot.NAME, about, called)


def _job(parts: Parts) -> Iterator[Holding]:
    if parts.verb == "work" and parts.link == "as":
        value = head(parts.rest, STOPS | {"at", "in", "on"})[0]
        yield from _held(Slot.JOB, topic(parts.subject), value)
    elif parts.verb == "paint" and not parts.link:
        yield from _held(Slot.COAT, topic(parts.subject), parts.rest)


def _thing(parts: Parts) -> Iterator[Holding]:
    if parts.verb == "drive" and not parts.link:
        yield from _held(Slot.VEHICLE, topic(parts.subject), head(_without_article(parts.rest))[0])
    elif parts.verb in ("have", "own", "get"):
        yield from _held(Slot.THING, topic(parts.subject), parts.rest)
    elif parts.verb == "be" and parts.subject and parts.subject[-1].stem in _POSSESSIONS:
        value = head(_without_article(parts.rest))[0]
        yield from _held(Slot.VEHICLE, topic(parts.subject), value)


def _without_article(tokens: Tokens) -> Tokens:
    return tokens[1:] if tokens and tokens[0].key in ("a", "an") else tokens
