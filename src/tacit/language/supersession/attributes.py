"""Find the attributes that a clause states: a place, a tool, a job, a person in charge."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from tacit.language.statements.verbs import ADJECTIVAL_ENDINGS, ADJECTIVES
from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.clause_parts import ClauseParts
from tacit.language.supersession.clauses import MarkedClause
from tacit.language.supersession.products import PRODUCT_KINDS
from tacit.language.supersession.tokens import Tokens, to_canonical
from tacit.language.supersession.topics import (
    NO_STEMS,
    NO_TOPIC,
    ClauseTopic,
    Stems,
    content_stems,
    find_topic,
    name_stems,
    product_kinds,
)
from tacit.language.supersession.word_classes import BEGINNERS, COUNTRIES, DOMAINS, is_job


class AttributeKind(StrEnum):
    """The kind of attribute that a clause states."""

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


class AttributeValue(NamedTuple):
    """A value that a clause states for an attribute of something."""

    slot: AttributeKind
    about: ClauseTopic
    value: Stems
    names: Stems = NO_STEMS
    tools: Stems = NO_STEMS
    is_job: bool = False
    is_noun: bool = False
    is_beginner: bool = False
    is_figure: bool = False

    @property
    def is_broad(self) -> bool:
        """Whether it is a country, which does not exclude one of its towns."""
        return not self.value.isdisjoint(COUNTRIES)


VALUE_STOPS = word_set("""
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
_POSSESSION_STEMS = frozenset(
    map(
        to_canonical,
        word_set("""
            car bike phone laptop computer camera watch guitar tablet tv motorbike scooter van
            auto wagen handy fahrrad rad voiture vélo téléphone coche móvil bicicleta moto
            """),
    )
)
"""Things of which people have one each."""

_STAGES = frozenset(("plan", "tier", "mode", "phase", "stage", "level"))
_GROUPS = frozenset(("team", "squad", "group", "depart", "guild", "crew", "divis", "unit"))
_PRONOUNS = word_set("i we you user")
_NAMING = frozenset(("call", "called", "name", "named", "in", "at", "on", "near"))
_PLACING = frozenset(("in", "on", "at"))
_SPEAKING = word_set("answer reply respond speak communicate")
_OWNERS = word_set("the our my user")


def find_attributes(clause: MarkedClause) -> Iterator[AttributeValue]:
    """Find the attribute values that a clause states."""
    parts = clause.parts
    if parts is None:
        return
    for find in (
        _find_place,
        _find_employer,
        _find_use,
        _find_being,
        _find_person_in_charge,
        _find_name,
        _find_job,
        _find_possession,
    ):
        yield from find(parts)


def split_head(tokens: Tokens, stops: frozenset[str] = VALUE_STOPS) -> tuple[Tokens, Tokens]:
    """Split words into the value they begin with, and what follows it."""
    for place, token in enumerate(tokens):
        if place and (token.key in stops or tokens[place - 1].has_pause):
            return tokens[:place], tokens[place:]
    return tokens, ()


def _build_values(
    slot: AttributeKind, about: ClauseTopic, value: Tokens
) -> Iterator[AttributeValue]:
    if slot is AttributeKind.USE and len(value) == 1 and value[0].key in PRODUCT_KINDS:
        value = (value[0]._replace(is_name=True),)
    if value:
        yield AttributeValue(
            slot,
            about,
            content_stems(value),
            _value_names(value),
            product_kinds(value),
            is_job(value),
            _is_noun(value),
            any(token.key in BEGINNERS for token in value),
            any(token.figure is not None for token in value) and not name_stems(value),
        )


def _value_names(value: Tokens) -> Stems:
    """The names in a value; `an NGO` has none, `a bakery called Crumb` has one."""
    if value[0].key not in ("a", "an"):
        return name_stems(value)
    cuts = [place for place, token in enumerate(value) if token.key in _NAMING]
    return name_stems(value[cuts[0] :]) if cuts else NO_STEMS


def _is_noun(value: Tokens) -> bool:
    """Whether a value is one word that does not describe."""
    said = [token for token in value if content_stems((token,))]
    if len(said) != 1 or said[0].figure is not None or len(value) > 1:
        return False
    key = said[0].key.casefold()
    return (
        key.isalpha()
        and key not in ADJECTIVES
        and key not in DOMAINS
        and not key.endswith(ADJECTIVAL_ENDINGS)
    )


def _purpose_topic(rest: Tokens, *links: str) -> ClauseTopic:
    return find_topic(rest[1:]) if rest and rest[0].key in links else NO_TOPIC


def _find_place(parts: ClauseParts) -> Iterator[AttributeValue]:
    """`Ann lives in Bonn`, `the key is kept in the safe`."""
    links = _PLACES.get(parts.verb, "").split()
    if parts.link in links and (parts.is_passive or parts.verb in _ACTIVE_PLACES):
        yield from _build_values(
            AttributeKind.AT, find_topic(parts.subject), split_head(parts.rest)[0]
        )


def _find_employer(parts: ClauseParts) -> Iterator[AttributeValue]:
    if parts.link in _EMPLOYERS.get(parts.verb, "").split():
        about = find_topic(parts.subject)
        if parts.verb not in ("work", "employ"):
            about |= _role_topic(parts.verb)
        yield from _build_values(AttributeKind.WORK, about, split_head(parts.rest)[0])


def _find_use(parts: ClauseParts) -> Iterator[AttributeValue]:
    """`We use X for P`, `X is used for P`, `P runs on X`, `we write P in X`."""
    links = _USES.get(parts.verb)
    if links is None:
        return
    if parts.verb == "use" and parts.is_passive:
        if parts.link in ("for", "as", "to"):
            yield from _build_values(AttributeKind.USE, find_topic(parts.rest), parts.subject)
    elif parts.link in links.split(" "):
        value, rest = split_head(
            parts.rest, VALUE_STOPS | _PLACING if parts.verb == "use" else VALUE_STOPS
        )
        about = find_topic(parts.subject) | _purpose_topic(
            rest, "for", "to", "as", "with", "in", "on", "at"
        )
        if parts.verb in _SPEAKING:
            about |= _role_topic(parts.verb)
        if product_kinds(value) or parts.verb not in _SPEAKING:
            yield from _build_values(AttributeKind.USE, about, value)
    elif not parts.link and not parts.is_passive:
        yield from _find_use_after_object(parts, frozenset(links.split()))


def _find_use_after_object(parts: ClauseParts, links: frozenset[str]) -> Iterator[AttributeValue]:
    for place, token in enumerate(parts.rest):
        if place and token.key in links:
            about = find_topic(parts.subject) | find_topic(parts.rest[:place])
            value = split_head(parts.rest[place + 1 :])[0]
            yield from _build_values(AttributeKind.USE, about, value)
            if parts.verb in _PLACES:
                yield from _build_values(AttributeKind.AT, about, value)
            return


def _find_being(parts: ClauseParts) -> Iterator[AttributeValue]:
    """`The office is in Bonn`, `our database is X`, `I am a cook at Acme`."""
    if parts.verb != "be" or not parts.rest:
        return
    value, rest = split_head(parts.rest)
    about = find_topic(parts.subject)
    if parts.link in ("in", "at", "on", "under") and name_stems(value):
        yield from _build_values(
            AttributeKind.USE if product_kinds(value) else AttributeKind.AT, about, value
        )
        if about.words and not product_kinds(value):
            yield from _build_values(AttributeKind.USE, about, value)
    elif parts.link == "with" and name_stems(value):
        yield from _build_values(
            AttributeKind.USE if about.words else AttributeKind.WORK, about, value
        )
    elif parts.link in ("in", "at", "on") and value[-1].stem in _STAGES:
        yield from _build_values(
            AttributeKind.STAGE, about | _role_topic(value[-1].stem), value[:-1]
        )
    elif not parts.link and _PRONOUNS.isdisjoint(token.key for token in parts.subject[1:]):
        is_one_of_many = value[0].key in ("a", "an")
        is_own_job = not about.words and is_job(value)
        slot = (
            AttributeKind.USE
            if _is_tool(value)
            else AttributeKind.KIND
            if is_one_of_many or is_own_job
            else AttributeKind.IS
        )
        yield from _build_values(slot, about | _purpose_topic(rest, "for", "of"), value)
        yield from _find_employer_after_job(about, parts.rest)


def _is_tool(value: Tokens) -> bool:
    """Whether a value is a product, not something described by one."""
    said = [token for token in value if content_stems((token,)) and token.figure is None]
    return bool(said) and bool(product_kinds(said[-1:]))


def _find_employer_after_job(about: ClauseTopic, rest: Tokens) -> Iterator[AttributeValue]:
    """`a cook at Acme`."""
    place = next((place for place, token in enumerate(rest) if token.key == "at"), None)
    if place and rest[0].key in ("a", "an", "the"):
        employer = tuple(token for token in split_head(rest[place + 1 :])[0] if token.is_name)
        yield from _build_values(AttributeKind.WORK, about, employer)


def _find_person_in_charge(parts: ClauseParts) -> Iterator[AttributeValue]:
    """Find who is in charge of what."""
    about, value = find_topic(parts.subject), split_head(parts.rest)[0]
    if parts.verb == "be":
        yield from _find_role(parts)
    elif parts.verb == "reportto":
        yield from _build_values(AttributeKind.CHARGE, about | _role_topic("manag"), value)
    elif parts.verb == "belong" and parts.link == "to":
        yield from _build_values(AttributeKind.CHARGE, about | _role_topic("owner"), value)
    elif parts.verb in ("sit", "lie", "rest") and parts.link == "with":
        yield from _build_values(AttributeKind.CHARGE, about, value)
    elif parts.verb == "takeover" and parts.link:
        yield from _build_values(AttributeKind.CHARGE, find_topic(_office_of(parts)), parts.subject)
    elif parts.verb in _CHARGES:
        yield from _find_doer(parts, about, value)


def _office_of(parts: ClauseParts) -> Tokens:
    """Return the office in `took over as treasurer from Ann`, in either order."""
    if parts.link == "as":
        return split_head(parts.rest)[0]
    place = next((place for place, token in enumerate(parts.rest) if token.key == "as"), None)
    return () if place is None else parts.rest[place + 1 :]


def _find_doer(parts: ClauseParts, about: ClauseTopic, value: Tokens) -> Iterator[AttributeValue]:
    """`Ann leads sales`, `sales is led by Ann`."""
    role = _role_topic(_CHARGES[parts.verb])
    if parts.is_passive and parts.link == "by":
        yield from _build_values(AttributeKind.CHARGE, about | role, value)
    elif not parts.is_passive and not parts.link and _is_somebody(parts):
        yield from _build_values(AttributeKind.CHARGE, find_topic(value) | role, parts.subject)


def _role_topic(role: str) -> ClauseTopic:
    return ClauseTopic(frozenset((role,)))


def _is_somebody(parts: ClauseParts) -> bool:
    """Whether the subject is somebody else than the speaker; machines run databases too."""
    subject = parts.subject
    if not content_stems(subject) or not _PRONOUNS.isdisjoint(token.key for token in subject):
        return False
    is_named = subject[0].is_name or subject[-1].stem in _GROUPS
    return is_named or parts.verb in ("own", "lead", "manage", "chair", "maintain", "coach")


def _find_role(parts: ClauseParts) -> Iterator[AttributeValue]:
    """`Ann is our lead`, `our lead is Ann`, `Ann is in charge of releases`."""
    subject = parts.subject
    if parts.link or not parts.rest or not subject:
        return
    value, rest = split_head(parts.rest)
    if value[0].key == "incharge":
        yield from _build_values(AttributeKind.CHARGE, find_topic(parts.rest), subject)
    elif value[-1].stem == "respons":
        yield from _build_values(
            AttributeKind.CHARGE, find_topic(subject) | _role_topic("owner"), value[:-1]
        )
    elif value[0].key in ("the", "our", "my") and subject[0].is_name and len(subject) < 4:
        more = _purpose_topic(rest, "for", "of", "in", "at")
        yield from _build_values(AttributeKind.CHARGE, find_topic(value) | more, subject)
    elif value[0].is_name and (subject[0].key in _OWNERS or is_job(subject)):
        yield from _build_values(AttributeKind.CHARGE, find_topic(subject), value)


def _find_name(parts: ClauseParts) -> Iterator[AttributeValue]:
    """`Our cat is called Tom`, `we call the cat Tom`."""
    if parts.verb not in ("call", "name") or parts.link:
        return
    if parts.is_passive:
        yield from _build_values(
            AttributeKind.NAME, find_topic(parts.subject), split_head(parts.rest)[0]
        )
    else:
        called = tuple(token for token in parts.rest if token.is_name)
        about = find_topic(token for token in parts.rest if not token.is_name)
        yield from _build_values(AttributeKind.NAME, about, called)


def _find_job(parts: ClauseParts) -> Iterator[AttributeValue]:
    if parts.verb == "work" and parts.link == "as":
        value = split_head(parts.rest, VALUE_STOPS | {"at", "in", "on"})[0]
        yield from _build_values(AttributeKind.JOB, find_topic(parts.subject), value)
    elif parts.verb == "paint" and not parts.link:
        yield from _build_values(AttributeKind.COAT, find_topic(parts.subject), parts.rest)


def _find_possession(parts: ClauseParts) -> Iterator[AttributeValue]:
    if parts.verb == "drive" and not parts.link:
        yield from _build_values(
            AttributeKind.VEHICLE,
            find_topic(parts.subject),
            split_head(_without_article(parts.rest))[0],
        )
    elif parts.verb in ("have", "own", "get"):
        yield from _build_values(AttributeKind.THING, find_topic(parts.subject), parts.rest)
    elif parts.verb == "be" and parts.subject and parts.subject[-1].stem in _POSSESSION_STEMS:
        value = split_head(_without_article(parts.rest))[0]
        yield from _build_values(AttributeKind.VEHICLE, find_topic(parts.subject), value)


def _without_article(tokens: Tokens) -> Tokens:
    return tokens[1:] if tokens and tokens[0].key in ("a", "an") else tokens
