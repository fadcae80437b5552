"""The same turned round: denied, forbidden, allowed, no longer liked."""

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.lexicon import DISLIKED, FORBIDDEN, REQUIRED
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import Stems, content, topic
from tacit.language.statements.succession.wording import canonical

_LIKING = word_set("like love enjoy drink eat prefer smoke take") | DISLIKED
_NEEDING = word_set("need require")
_NEEDED = word_set("optional unnecessary voluntary required mandatory compulsory obligatory")
_MOST_MORE = 3
"""So much more may be said of what is denied than the denial says."""

_COMPARING = frozenset(("more", "less", "than", "max", "min"))
_LIGHT = word_set("avoid use have do make")
_MODAL = frozenset(map(canonical, REQUIRED | FORBIDDEN))


def is_turned_round(was: Told, now: Told) -> bool:
    """Whether one affirms what the other denies.

    A denial also takes the place of what says more than it denies: who drinks no coffee drinks
    none in the morning either. What is affirmed must be what was denied, no less and no more.
    """
    if _affirms(was) == _affirms(now) or not (was.keys | now.keys).isdisjoint(_COMPARING):
        return False
    old, new = _act(was), _act(now)
    if _affirms(now) or was.parts is None or now.parts is None:
        return old == new and (len(new) > 1 or (now.is_change and bool(was.person)))
    if _denies(old, new, now) and _is_of_the_same(was, now):
        return not (was.has(Mark.MAY) and now.has(Mark.MUST))
    return _is_disliked(was, now)


def _denies(old: Stems, new: Stems, now: Told) -> bool:
    is_enough = len(new) > 1 or now.has(Mark.ENDED)
    return bool(new) and new <= old and is_enough and len(old) - len(new) <= _MOST_MORE


def _affirms(clause: Told) -> bool:
    is_negative = not clause.keys.isdisjoint(FORBIDDEN | DISLIKED)
    return clause.has(Mark.DENIED) == is_negative


def _act(clause: Told) -> Stems:
    """What is done, allowed or forbidden."""
    return content(token for token in clause.tokens if token.key not in _LIGHT) - _MODAL


def _is_of_the_same(was: Told, now: Told) -> bool:
    if was.parts is None or now.parts is None:
        return False
    old, new = topic(was.parts.subject).words, topic(now.parts.subject).words
    if _verb(was) != _verb(now):
        return False
    before, after = topic(was.tokens).words, topic(now.tokens).words
    return old == new or (new <= before and old <= after)


def _verb(clause: Told) -> str:
    verb = clause.parts.verb if clause.parts else ""
    is_needed = clause.has(Mark.MUST) or not clause.keys.isdisjoint(_NEEDED)
    return "need" if verb in _NEEDING or is_needed else verb


def _is_disliked(was: Told, now: Told) -> bool:
    """Whether what was liked, drunk or eaten is so no longer."""
    if was.parts is None or now.parts is None:
        return False
    if was.parts.verb not in _LIKING or now.parts.verb not in _LIKING:
        return False
    thing = content(now.parts.rest)
    is_of_the_same = topic(was.parts.subject).words == topic(now.parts.subject).words
    return bool(thing) and thing <= content(was.parts.rest) and is_of_the_same
