"""Rules of supersession: the same thing has another value, state or preference, or is denied."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tacit.language.statements.vocabulary import ANTONYMS, word_set
from tacit.language.supersession.attributes import AttributeKind, AttributeValue, find_attributes
from tacit.language.supersession.clause_parts import LINKS, ClauseMark
from tacit.language.supersession.clauses import MarkedClause
from tacit.language.supersession.lexicon import (
    DISLIKED,
    EVENT_VERBS,
    FORBIDDEN,
    REQUIRED_OR_ALLOWED,
    TYING_VERBS,
)
from tacit.language.supersession.tokens import Token, Tokens, to_canonical
from tacit.language.supersession.topics import (
    NO_TOPIC,
    PERSON_STEMS,
    ClauseTopic,
    Stems,
    content_stems,
    find_topic,
    is_same_topic,
    product_kinds,
)
from tacit.language.supersession.word_classes import COMPETING_CHOICES, DOMAINS, SENIORITY

# Another value: a place, a tool, a person in charge, a name.


def has_another_value(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether both state different values for the same attribute."""
    if was.has(ClauseMark.DENIED) or now.has(ClauseMark.DENIED):
        return False
    before, after = list(find_attributes(was)), list(find_attributes(now))
    is_change = now.is_change or _is_same_employer(before, after)
    return any(
        _is_another_value(old, new, is_change)
        for old in before
        for new in after
        if old.slot is new.slot
    )


def _is_same_employer(before: list[AttributeValue], after: list[AttributeValue]) -> bool:
    ours, theirs = (
        {(each.about.words, each.value) for each in held if each.slot is AttributeKind.WORK}
        for held in (before, after)
    )
    return not ours.isdisjoint(theirs)


def _is_another_value(old: AttributeValue, new: AttributeValue, is_change: bool) -> bool:
    if old.value <= new.value or new.value <= old.value or old.slot not in _COMPETING:
        return False
    return is_same_topic(old.about, new.about, is_change) and _COMPETING[old.slot](
        old, new, is_change
    )


def _is_another_place(old: AttributeValue, new: AttributeValue, is_change: bool) -> bool:
    if is_change and not (old.names or new.names):
        return True
    return _are_names(old, new) and (is_change or old.is_broad == new.is_broad)


def _is_another_thing(old: AttributeValue, new: AttributeValue, _: bool) -> bool:
    return bool(old.about.words) and (_are_names(old, new) or _are_plain(old, new))


def _is_another_possession(old: AttributeValue, new: AttributeValue, _: bool) -> bool:
    return _are_names(old, new)


def _is_another_person(old: AttributeValue, new: AttributeValue, _: bool) -> bool:
    return bool(old.about.words) and old.names.isdisjoint(new.names)


def _is_another_stage(_old: AttributeValue, _new: AttributeValue, _: bool) -> bool:
    return True


def _is_another_job(old: AttributeValue, new: AttributeValue, is_change: bool) -> bool:
    """Whether a new job replaces the old: it grew out of it. One may be a cook and a father."""
    shared = old.value & new.value - SENIORITY
    is_following = is_change or old.is_beginner or bool(shared)
    return old.is_job and new.is_job and is_following


def _is_another_tool(old: AttributeValue, new: AttributeValue, is_change: bool) -> bool:
    """Whether one product replaces another; products with other purposes are used side by side."""
    if old.tools and new.tools and old.tools.isdisjoint(new.tools):
        return False
    if bool(old.names) != bool(new.names):
        return False
    if old.about.words and new.about.words:
        are_unknown = bool(old.names) and not (old.tools or new.tools)
        return not old.tools.isdisjoint(new.tools) or are_unknown or is_change
    return is_change and not old.tools.isdisjoint(new.tools)


_COMPETING: Mapping[AttributeKind, Callable[[AttributeValue, AttributeValue, bool], bool]] = {
    AttributeKind.USE: _is_another_tool,
    AttributeKind.AT: _is_another_place,
    AttributeKind.WORK: _is_another_place,
    AttributeKind.IS: _is_another_thing,
    AttributeKind.KIND: _is_another_job,
    AttributeKind.VEHICLE: _is_another_possession,
    AttributeKind.CHARGE: _is_another_person,
    AttributeKind.NAME: _is_another_person,
    AttributeKind.COAT: _is_another_person,
    AttributeKind.JOB: _is_another_stage,
    AttributeKind.STAGE: _is_another_stage,
}
"""When two values of one kind exclude each other; kinds that are not listed never do."""


def _are_plain(old: AttributeValue, new: AttributeValue) -> bool:
    """Whether both are nouns for an attribute of two words: `target audience`."""
    return old.is_noun and new.is_noun and len(old.about.words) > 1


def _are_names(old: AttributeValue, new: AttributeValue) -> bool:
    return bool(old.names and new.names) and old.names.isdisjoint(new.names)


# Another state, of which only one holds at a time.


_OF_PERSONS = frozenset(("bond", "employment", "diet", "place of work"))
_PREDICATES = frozenset(("bond", "employment", "diet", "status", "fit"))
"""Domains whose words count only as predicates."""

_CHOOSING = word_set(
    "prefer keep want make write give like be have get choose go take reply use eat"
)
_COLOUR_LIKING_VERBS = word_set("like love enjoy hate dislike wear buy own have")
_SHADES = word_set("dark light pale bright deep soft warm lime sage forest sky baby hot")
_LINKING = word_set("be get become go stay turn eat")


class _State(NamedTuple):
    domain: str
    value: str
    about: ClauseTopic


def has_another_state(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether both describe the same thing with different words of one domain."""
    before = list(_states_in(was))
    if not before or (was.has(ClauseMark.DENIED) and now.has(ClauseMark.DENIED)):
        return False
    held = {(old.domain, old.value) for old in before}
    is_turned_round = was.has(ClauseMark.DENIED) or now.has(ClauseMark.DENIED)
    return any(
        old.domain == new.domain
        and ((new.domain, new.value) in held) == is_turned_round
        and is_same_topic(old.about, new.about, now.is_change)
        for new in _states_in(now)
        for old in before
    )


def _states_in(clause: MarkedClause) -> Iterator[_State]:
    for place, token in enumerate(clause.tokens):
        domain, value = DOMAINS.get(token.key, ("", ""))
        if clause.parts is not None and place < len(clause.parts.subject):
            continue
        if not domain or (domain in _PREDICATES and not _is_predicate(clause.tokens, place)):
            continue
        if domain == "color" and not clause.keys.isdisjoint(_COLOUR_LIKING_VERBS):
            continue
        about = _state_topic(clause, place, domain)
        if domain == "bond" and not _is_of_a_person(clause, about):
            continue
        if domain == "diet" and any(token.figure for token in clause.tokens):
            continue
        if about.words or domain in _OF_PERSONS:
            yield _State(domain, value, about)
    if _has_work(clause) and not clause.has(ClauseMark.DENIED):
        yield _State(
            "employment", "employed", find_topic(clause.parts.subject if clause.parts else ())
        )


def _is_of_a_person(clause: MarkedClause, about: ClauseTopic) -> bool:
    """Whether it is about the speaker, somebody with a name or a relative, and nothing else."""
    return about.words <= about.names | PERSON_STEMS and (bool(about.words) or bool(clause.person))


def _has_work(clause: MarkedClause) -> bool:
    is_joining = clause.parts is not None and clause.parts.verb == "join"
    return is_joining or any(each.slot is AttributeKind.WORK for each in find_attributes(clause))


def _state_topic(clause: MarkedClause, place: int, domain: str) -> ClauseTopic:
    if domain == "bond" and clause.person == "i":
        return NO_TOPIC
    is_being = clause.parts is not None and clause.parts.verb == "be" and not clause.parts.link
    if domain in ("bond", "employment", "diet") or (domain == "color" and is_being):
        return find_topic(clause.parts.subject if clause.parts else (), _CHOOSING)
    if domain == "status" and clause.parts is not None:
        figures = (token for token in clause.tokens if token.figure is not None)
        return find_topic((*clause.parts.subject, *figures))
    said = clause.tokens[place]
    others = [
        token
        for token in clause.unchanging
        if token is not said
        and (domain in _PREDICATES or DOMAINS.get(token.key, ("",))[0] != domain)
    ]
    shades = _SHADES if domain == "color" else frozenset[str]()
    about = find_topic(others, TYING_VERBS, _CHOOSING, shades)
    verb = clause.parts.verb if clause.parts else ""
    return about if about.words or not verb else ClauseTopic(frozenset((verb,)))


def domain_of(key: str) -> str:
    """Return the domain of a word; empty if it has none."""
    return DOMAINS.get(key, ("", ""))[0]


def _is_predicate(tokens: Tokens, place: int) -> bool:
    """Whether a word ends the predicate, as in `is married to`."""
    key = tokens[place].key
    if key in EVENT_VERBS:
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


# Another preference among things that compete.


_PREFERRING = word_set("prefer want like love enjoy")
_MODIFIED = 2
_NONE: Stems = frozenset()


def has_another_preference(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether both prefer different things of the same kind."""
    old, new = was.parts, now.parts
    if old is None or new is None or was.has(ClauseMark.DENIED) or now.has(ClauseMark.DENIED):
        return False
    is_rule = old.verb == new.verb == "use" and not new.subject
    if not is_rule and (new.verb not in ("prefer", "want") or old.verb not in _PREFERRING):
        return False
    if find_topic(old.subject).words != find_topic(new.subject).words:
        return False
    lost, added = _tokens_without(old.rest, new.rest), _tokens_without(new.rest, old.rest)
    if not lost or not added:
        return False
    return _compete(lost, added) or (old.verb == "prefer" and _have_one_head(old.rest, new.rest))


def _tokens_without(tokens: Tokens, others: Tokens) -> Tokens:
    known = content_stems(others)
    return tuple(token for token in tokens if token.stem in content_stems((token,)) - known)


def _compete(lost: Tokens, added: Tokens) -> bool:
    """Whether what was omitted and what was added are of one kind."""
    choices = {_choice(token) for token in (*lost, *added)}
    if len(choices) == 1 and choices != {""}:
        return True
    if len(lost) != 1 or len(added) != 1:
        return False
    return not product_kinds(lost).isdisjoint(product_kinds(added)) or are_opposites(
        lost[0], added[0]
    )


def _choice(token: Token) -> str:
    return COMPETING_CHOICES.get(token.stem, "")


def are_opposites(one: Token, other: Token) -> bool:
    """Whether two words are opposites."""
    return other.key in ANTONYMS.get(one.key, _NONE)


def _have_one_head(old: Tokens, new: Tokens) -> bool:
    """Whether both end in the same noun: `window seats` and `aisle seats`."""
    (one, more), (other, rest) = _split_phrase(old), _split_phrase(new)
    if (
        content_stems(more) != content_stems(rest)
        or not one
        or not other
        or one[-1].stem != other[-1].stem
    ):
        return False
    is_short = len(one) == len(other) == _MODIFIED
    return is_short or _are_of_one_domain(_tokens_without(one, other), _tokens_without(other, one))


def _are_of_one_domain(lost: Tokens, added: Tokens) -> bool:
    return any(
        one.key in DOMAINS and DOMAINS[one.key][0] == DOMAINS.get(other.key, ("",))[0]
        for one in lost
        for other in added
    )


def _split_phrase(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """Split words at the first preposition."""
    cut = next((place for place, token in enumerate(tokens) if token.key in LINKS), len(tokens))
    said = tuple(token for token in tokens[:cut] if content_stems((token,)))
    return said, tokens[cut:]


# The reverse: denied, forbidden, allowed, no longer liked.


_TASTE_VERBS = word_set("like love enjoy drink eat prefer smoke take") | DISLIKED
_NEEDING = word_set("need require")
_NEEDED = word_set("optional unnecessary voluntary required mandatory compulsory obligatory")
_MOST_MORE = 3
"""How many more words what is denied may have than the denial."""

_COMPARING = frozenset(("more", "less", "than", "max", "min"))
_LIGHT = word_set("avoid use have do make")
_MODAL = frozenset(map(to_canonical, REQUIRED_OR_ALLOWED | FORBIDDEN))


def is_reversed(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether one affirms what the other denies.

    A denial also supersedes what says more than it denies: who drinks no coffee drinks none in the
    morning either. What is affirmed must be exactly what was denied.
    """
    if _affirms(was) == _affirms(now) or not (was.keys | now.keys).isdisjoint(_COMPARING):
        return False
    old, new = _act_stems(was), _act_stems(now)
    if _affirms(now) or was.parts is None or now.parts is None:
        return old == new and (len(new) > 1 or (now.is_change and bool(was.person)))
    if _denies(old, new, now) and _have_same_subject(was, now):
        return not (was.has(ClauseMark.MAY) and now.has(ClauseMark.MUST))
    return _is_no_longer_liked(was, now)


def _denies(old: Stems, new: Stems, now: MarkedClause) -> bool:
    is_enough = len(new) > 1 or now.has(ClauseMark.ENDED)
    return bool(new) and new <= old and is_enough and len(old) - len(new) <= _MOST_MORE


def _affirms(clause: MarkedClause) -> bool:
    is_negative = not clause.keys.isdisjoint(FORBIDDEN | DISLIKED)
    return clause.has(ClauseMark.DENIED) == is_negative


def _act_stems(clause: MarkedClause) -> Stems:
    """Return what is done, allowed or forbidden."""
    return content_stems(token for token in clause.tokens if token.key not in _LIGHT) - _MODAL


def _have_same_subject(was: MarkedClause, now: MarkedClause) -> bool:
    if was.parts is None or now.parts is None:
        return False
    old, new = find_topic(was.parts.subject).words, find_topic(now.parts.subject).words
    if _denied_verb(was) != _denied_verb(now):
        return False
    before, after = find_topic(was.tokens).words, find_topic(now.tokens).words
    return old == new or (new <= before and old <= after)


def _denied_verb(clause: MarkedClause) -> str:
    verb = clause.parts.verb if clause.parts else ""
    is_needed = clause.has(ClauseMark.MUST) or not clause.keys.isdisjoint(_NEEDED)
    return "need" if verb in _NEEDING or is_needed else verb


def _is_no_longer_liked(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether what was liked, drunk or eaten no longer is."""
    if was.parts is None or now.parts is None:
        return False
    if was.parts.verb not in _TASTE_VERBS or now.parts.verb not in _TASTE_VERBS:
        return False
    thing = content_stems(now.parts.rest)
    is_of_the_same = find_topic(was.parts.subject).words == find_topic(now.parts.subject).words
    return bool(thing) and thing <= content_stems(was.parts.rest) and is_of_the_same
