"""Rules of supersession: something ended, changed, or is done by somebody else."""

from typing import NamedTuple

from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.attributes import AttributeKind, AttributeValue, find_attributes
from tacit.language.supersession.changes import EndedFact, NewFact, find_changes
from tacit.language.supersession.clause_parts import ClauseMark, ClauseParts
from tacit.language.supersession.clauses import MarkedClause
from tacit.language.supersession.lexicon import EVENT_VERBS, STATE_VERBS, VERBS
from tacit.language.supersession.tokens import Tokens, to_canonical
from tacit.language.supersession.topics import (
    GENERIC_STEMS,
    PERSON_STEMS,
    ClauseTopic,
    Stems,
    are_distinct,
    content_stems,
    find_topic,
    is_same_topic,
    name_stems,
)

# What ended, or was replaced by something else.


_HELD = STATE_VERBS - word_set(
    "know hate dislike visit review need require name call plan book"
) | {"be"}
"""Verbs for states that can end."""

_ENDS = (
    ("sell trade ditch donate throw", "have own drive be use keep live reside"),
    (
        "leave quit resign",
        "work be employ live reside use host deploy run have study play base locate store rent"
        " drive teach write do cook",
    ),
    ("like love enjoy drink eat smoke prefer take", "like love enjoy drink eat smoke prefer take"),
    ("separate divorce", "be date have live"),
    (
        "move relocate",
        "live reside base locate be have rent work study use host deploy store keep run write build"
        " track manage send do make read",
    ),
    ("dismiss", "work be employ teach drive"),
    ("live", "live reside base locate be have rent"),
    ("work", "work employ be"),
)
_ENDABLE_BY = {end: frozenset(held.split()) for ends, held in _ENDS for end in ends.split()}
_LEAVING = word_set("leave quit resign")
_SERVING = word_set("be work drive write play teach do cook coach")
_MOVE_VERBS = frozenset(("move", "relocate"))
_LIKING = word_set("like love enjoy prefer support cover visit include")
_ANY = word_set("stop switch use drop cancel be")
_USUAL = word_set("""
    be have use run write build host deploy store keep base serve power develop code rely drive own
    learn study play subscribe pay track document log monitor edit send support test accept
    """)
_DOING = word_set("go do love like enjoy keep")
_TIMES = frozenset(("morn", "even", "night", "afternoon", "weekend", "regular", "often", "week"))
_CARRIERS = GENERIC_STEMS | frozenset(
    ("diet", "account", "subscript", "membership", "class", "lesson", "club", "plan", "contract")
)
"""Nouns that may be omitted if their name is given."""

_CANCELLING = word_set("cancel scrap shelve kill axe drop die")
_ENDS_A_VALUE = word_set("for because with to of about during at in on by every")


def is_ended(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether the newer clause says that what the older one states has ended."""
    if was.has(ClauseMark.DENIED) or was.parts is None:
        return False
    mentioned = content_stems(now.tokens)
    return any(_ends(ended, was, was.parts, mentioned) for ended in find_changes(now)[0])


def _ends(ended: EndedFact, was: MarkedClause, parts: ClauseParts, mentioned: Stems) -> bool:
    subject = find_topic(parts.subject)
    if not ended.what:
        return False
    if ended.verb in _CANCELLING and ended.what == content_stems(parts.subject):
        return True
    if ended.is_act:
        return subject.words == ended.who and _is_done(parts, ended.what)
    is_name = not ended.what.isdisjoint(name_stems(was.tokens))
    if parts.verb not in _HELD and (parts.verb in VERBS or not is_name):
        return False
    if not _fits_end(ended.verb, parts.verb, is_name) or not _is_held(
        parts, ended.what, ended.verb in _LEAVING and parts.verb in _SERVING
    ):
        return False
    if ended.verb in _LEAVING and not (subject.words <= ended.who):
        return False
    return _concerns_same_people(ended, was, parts, mentioned) and _is_within(ended, was)


def _is_done(parts: ClauseParts, what: Stems) -> bool:
    """Whether this is the activity; `running` is not `running a shop`."""
    if parts.verb in _DOING and what <= content_stems(parts.rest):
        return True
    verb = to_canonical(parts.verb)
    if verb not in what or not what <= content_stems(parts.rest) | {verb}:
        return False
    if parts.verb in ("smoke", "vape"):
        return True
    return content_stems(token for token in parts.rest if token.figure is None) <= what | _TIMES


def _fits_end(end: str, held: str, is_name: bool) -> bool:
    """Whether a verb can end what another verb states; for something with a name, any can."""
    if held not in VERBS or (is_name and end in _LEAVING | _MOVE_VERBS and held not in _LIKING):
        return True
    return held in _ENDABLE_BY.get(end, _HELD if is_name or end in _ANY else _USUAL)


def _is_held(parts: ClauseParts, what: Stems, is_left: bool) -> bool:
    """Whether the clause states this: as one of its values, or by the name in it."""
    if parts.verb == "use" and parts.is_passive:
        return what <= content_stems(parts.subject)
    return any(_is_value(value, what) for value in _values(parts.rest, is_left))


def _values(rest: Tokens, is_left: bool) -> list[Tokens]:
    """Split the rest of a clause at its prepositions; a purpose counts only if it is left."""
    gone = next((place for place, token in enumerate(rest) if token.key == "insteadof"), len(rest))
    rest = rest[:gone]
    cuts = [place for place, token in enumerate(rest) if token.key in _ENDS_A_VALUE]
    starts, ends = [0, *(place + 1 for place in cuts)], [*cuts, len(rest)]
    pieces = [
        rest[start:end]
        for start, end in zip(starts, ends, strict=True)
        if is_left or not start or rest[start - 1].key != "for"
    ]
    whole = () if any(token.key == "for" for token in rest) else rest
    return [piece for piece in (*pieces, whole) if piece]


def _is_value(value: Tokens, what: Stems) -> bool:
    held = content_stems(value)
    if not what <= held:
        return False
    if held - what <= _CARRIERS or not what.isdisjoint(name_stems(value)):
        return True
    return any(token.figure is not None and token.figure.value in what for token in value)


def _concerns_same_people(
    ended: EndedFact, was: MarkedClause, parts: ClauseParts, mentioned: Stems
) -> bool:
    """Whether nobody else is meant."""
    subject = find_topic(parts.subject)
    if not ended.who <= content_stems(was.tokens):
        return False
    others = subject.words & PERSON_STEMS
    if not parts.is_passive:
        others |= subject.names
    return others <= ended.who | ended.scope.words | mentioned


def _is_within(ended: EndedFact, was: MarkedClause) -> bool:
    """Whether it ended in general, or for what the older clause is about."""
    scope = ended.scope.plain - GENERIC_STEMS
    return not scope or not scope.isdisjoint(content_stems(was.tokens))


# What was given another value.


_PERSON_MOVE_VERBS = frozenset(("move", "relocate", "transfer"))
_LOOSE = frozenset((AttributeKind.THING, AttributeKind.KIND))
_ROLES = frozenset(("owner", "lead", "manag", "maintain"))
_HANDING = frozenset(("handover", "hand", "pass", "transfer", "reassign"))
_NAMING = frozenset(("rename", "rebrand", "retitle"))
_RISING = frozenset(("promote", "become", "demote"))


def is_changed(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether the newer clause gives another value to what the older one states.

    News of what has ended is about that alone.
    """
    if was.has(ClauseMark.DENIED) or now.has(ClauseMark.DENIED):
        return False
    ended, became = find_changes(now)
    if ended or not became:
        return False
    return any(_is_given_new_value(old, new) for old in find_attributes(was) for new in became)


def _is_given_new_value(old: AttributeValue, new: NewFact) -> bool:
    if not new.value or old.value <= new.value or new.value <= old.value:
        return False
    if old.is_figure or new.is_figure or not _fits_change(old, new):
        return False
    if new.verb in _RISING and old.slot in (
        AttributeKind.KIND,
        AttributeKind.JOB,
        AttributeKind.IS,
    ):
        return _is_another_job(old, new)
    if old.about.words and new.about.words:
        if old.tools & new.tools and old.about.words & new.about.words:
            return not are_distinct(old.about, new.about.without(old.value))
        is_alike = bool(old.names) == bool(new.names) and old.slot not in _LOOSE
        return is_alike and is_same_topic(*_comparable_topics(old.about, new), True, old.value)
    if old.tools & new.tools:
        return not (old.about.plain | new.about.plain)
    return not (old.about.words or new.about.words) and _is_of_a_person(old, new)


def _fits_change(old: AttributeValue, new: NewFact) -> bool:
    """Whether such a change can give such a value."""
    if old.slot is AttributeKind.USE and old.tools:
        return not old.tools.isdisjoint(new.tools)
    if old.slot is AttributeKind.CHARGE:
        return new.verb in _HANDING or not new.about.words.isdisjoint(_ROLES)
    if old.slot is AttributeKind.NAME:
        return new.verb in _NAMING or "name" in new.about.words
    return not (old.tools and new.tools and old.tools.isdisjoint(new.tools))


def _comparable_topics(about: ClauseTopic, new: NewFact) -> tuple[ClauseTopic, ClauseTopic]:
    """Return both topics; who hands something over need not name the role."""
    if new.verb not in _HANDING:
        return about, new.about
    return about.without(_ROLES), new.about.without(_ROLES)


def _is_another_job(old: AttributeValue, new: NewFact) -> bool:
    """`I was promoted to lead`."""
    return old.is_job and new.is_job and old.about.words == new.about.words


def _is_of_a_person(old: AttributeValue, new: NewFact) -> bool:
    """Whether the verb says what changed for the speaker: `I moved to Bonn`, `I joined Acme`."""
    if old.tools or new.tools or not old.names or not new.names:
        return False
    if new.verb in _PERSON_MOVE_VERBS:
        return old.slot is AttributeKind.AT
    return new.verb == "join" and old.slot is AttributeKind.WORK


# What is done by somebody else now, or in another way.


_MANY = word_set("""
    be have like love prefer know speak play visit buy want need support enjoy watch read learn
    study use eat drink own wear get hate dislike see meet teach include help make add work live
    """)
"""Verbs that may be true of many things at once."""


_SOMEWHERE = frozenset(("at", "with", "for", "in"))


class _Deed(NamedTuple):
    verb: str
    what: Stems
    doer: Stems
    is_passive: bool


def has_another_doer(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether it is done by somebody else now, or in another way."""
    if was.has(ClauseMark.DENIED) or now.has(ClauseMark.DENIED):
        return False
    old, new = _read_deed(was), _read_deed(now)
    if old is not None and new is not None and old.verb == new.verb and old.what:
        is_sole = now.has(ClauseMark.NOW) or (old.is_passive and new.is_passive)
        return is_sole and old.what == new.what and old.doer.isdisjoint(new.doer)
    return now.has(ClauseMark.NOW) and _ends_otherwise(was, now)


def _read_deed(clause: MarkedClause) -> _Deed | None:
    parts = clause.parts
    if parts is None or parts.verb in ("be", "have"):
        return None
    if parts.is_passive:
        doer = parts.rest if parts.link == "by" else _after_by(parts.rest)
        rest = () if parts.link == "by" else parts.rest[: len(parts.rest) - len(doer)]
        what = content_stems((*parts.subject, *rest))
        return _Deed(parts.verb, what, content_stems(doer), True) if name_stems(doer) else None
    if _is_somebody(parts.subject) and not parts.link:
        return _Deed(parts.verb, content_stems(parts.rest), content_stems(parts.subject), False)
    return None


def _is_somebody(subject: Tokens) -> bool:
    return bool(content_stems(subject)) and (subject[0].is_name or len(subject) == 1)


def _after_by(tokens: Tokens) -> Tokens:
    place = next((place for place, token in enumerate(tokens) if token.key == "by"), len(tokens))
    return tokens[place + 1 :]


def _ends_otherwise(was: MarkedClause, now: MarkedClause) -> bool:
    """`I take my coffee black`, `I take my coffee with milk now`."""
    old, new = was.parts, now.parts
    if old is None or new is None or old.verb != new.verb or old.verb in _MANY | EVENT_VERBS:
        return False
    if (
        find_topic(old.subject).words != find_topic(new.subject).words
        or old.is_passive != new.is_passive
    ):
        return False
    if old.link == new.link in _SOMEWHERE and _are_other_names(old.rest, new.rest):
        return True
    before, after = _count_shared(old.rest, new.rest), _count_shared(old.rest[::-1], new.rest[::-1])
    is_both_longer = before + after < min(len(old.rest), len(new.rest))
    shared = (*old.rest[:before], *old.rest[len(old.rest) - after :])
    return is_both_longer and old.link == new.link and bool(content_stems(shared))


def _are_other_names(one: Tokens, other: Tokens) -> bool:
    return bool(name_stems(one) and name_stems(other)) and name_stems(one).isdisjoint(
        name_stems(other)
    )


def _count_shared(one: Tokens, other: Tokens) -> int:
    """Count the words that both begin with."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first.key != second.key or first.figure != second.figure:
            break
        count += 1
    return count
