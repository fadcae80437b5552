"""The same done by somebody else now, or done to another end."""

from typing import NamedTuple

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import Stems, content, names, topic
from tacit.language.statements.succession.verbs import NEWS
from tacit.language.statements.succession.wording import Tokens

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


def has_another_doer(was: Told, now: Told) -> bool:
    """Whether it is said to be done by another now, or otherwise than it was."""
    if was.has(Mark.DENIED) or now.has(Mark.DENIED):
        return False
    old, new = _deed(was), _deed(now)
    if old is not None and new is not None and old.verb == new.verb and old.what:
        is_sole = now.has(Mark.NOW) or (old.is_passive and new.is_passive)
        return is_sole and old.what == new.what and old.doer.isdisjoint(new.doer)
    return now.has(Mark.NOW) and _ends_otherwise(was, now)


def _deed(clause: Told) -> _Deed | None:
    parts = clause.parts
    if parts is None or parts.verb in ("be", "have"):
        return None
    if parts.is_passive:
        doer = parts.rest if parts.link == "by" else _after_by(parts.rest)
        rest = () if parts.link == "by" else parts.rest[: len(parts.rest) - len(doer)]
        what = content((*parts.subject, *rest))
        return _Deed(parts.verb, what, content(doer), True) if names(doer) else None
    if _is_somebody(parts.subject) and not parts.link:
        return _Deed(parts.verb, content(parts.rest), content(parts.subject), False)
    return None


def _is_somebody(subject: Tokens) -> bool:
    return bool(content(subject)) and (subject[0].is_name or len(subject) == 1)


def _after_by(tokens: Tokens) -> Tokens:
    place = next((place for place, token in enumerate(tokens) if token.key == "by"), len(tokens))
    return tokens[place + 1 :]


def _ends_otherwise(was: Told, now: Told) -> bool:
    """`I take my coffee black`, `I take my coffee with milk now`."""
    old, new = was.parts, now.parts
    if old is None or new is None or old.verb != new.verb or old.verb in _MANY | NEWS:
        return False
    if topic(old.subject).words != topic(new.subject).words or old.is_passive != new.is_passive:
        return False
    if old.link == new.link in _SOMEWHERE and _are_other_names(old.rest, new.rest):
        return True
    before, after = _shared(old.rest, new.rest), _shared(old.rest[::-1], new.rest[::-1])
    is_both_longer = before + after < min(len(old.rest), len(new.rest))
    shared = (*old.rest[:before], *old.rest[len(old.rest) - after :])
    return is_both_longer and old.link == new.link and bool(content(shared))


def _are_other_names(one: Tokens, other: Tokens) -> bool:
    return bool(names(one) and names(other)) and names(one).isdisjoint(names(other))


def _shared(one: Tokens, other: Tokens) -> int:
    """How many words both begin with."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first.key != second.key or first.figure != second.figure:
            break
        count += 1
    return count
