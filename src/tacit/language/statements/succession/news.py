"""What a clause says has ended, and what has come instead."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.holdings import STOPS, head
from tacit.language.statements.succession.jobs import is_job
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.parts import is_noun
from tacit.language.statements.succession.told import Told
from tacit.language.statements.succession.topics import (
    NO_TOPIC,
    Stems,
    Topic,
    content,
    names,
    tools,
    topic,
)
from tacit.language.statements.succession.verbs import (
    CHANGING,
    ENDING,
    HOLDING,
    PARTICIPLES,
    REPLACING,
)
from tacit.language.statements.succession.wording import Tokens

_TO = frozenset(("to", "into", "onto"))
_WITH = frozenset(("with", "by", "for", "infavourof"))
_IN_VERBS = word_set("rewrite rebuild redo")
_AS_VERBS = word_set("rename promote rebrand rewrite rebuild")
_AFTER_ORIGIN = word_set("over back across all straight")
_AFTER_GOAL = STOPS | word_set("in on at move switch change migrate")
_AFTER_END = _WITH | word_set("because to after when in at from insteadof")
_SPEAKERS = word_set("i we you use")
_REASONS = word_set("because after when since so")
_GONE = word_set("dead gone obsolete history defunct")
_KEPT_WORKING = word_set(
    "use have like love enjoy drink eat smoke prefer take live work run own drive be host wear"
)


class Ended(NamedTuple):
    """Something that holds no longer."""

    who: Stems
    what: Stems
    scope: Topic
    """For what alone it has ended; nothing if for all."""
    verb: str
    is_act: bool
    """Whether it is something that was done."""


class Became(NamedTuple):
    """What became of something."""

    about: Topic
    value: Stems
    names: Stems
    tools: Stems
    verb: str
    is_job: bool
    is_figure: bool


def news(clause: Told) -> tuple[tuple[Ended, ...], tuple[Became, ...]]:
    """What a clause says has ended, and what has come."""
    found: list[Ended | Became] = [*_instead(clause), *_gone(clause), *_no_longer(clause)]
    if not clause.has(Mark.DENIED) or "nomore" in clause.keys:
        found += _by_verb(clause)
    return (
        tuple(each for each in found if isinstance(each, Ended)),
        tuple(each for each in found if isinstance(each, Became)),
    )


def _ended(who: Topic, what: Tokens, scope: Topic, verb: str) -> Ended:
    return Ended(who.words, content(what), scope, verb, _is_act(what))


def _is_act(what: Tokens) -> bool:
    """Whether something that is done is named, as in `smoking`."""
    if what and what[0].key in ("the", "my", "our", "a", "an"):
        return False
    first = next((token for token in what if content((token,))), None)
    return first is not None and (first.key in HOLDING or first.form.endswith("ing"))


def _became(about: Topic, value: Tokens, verb: str) -> Became:
    is_figure = any(token.figure is not None for token in value) and not names(value)
    return Became(about, content(value), names(value), tools(value), verb, is_job(value), is_figure)


def _find(tokens: Tokens, keys: frozenset[str], start: int = 0) -> int | None:
    return next((place for place in range(start, len(tokens)) if tokens[place].key in keys), None)


def _instead(clause: Told) -> Iterator[Ended]:
    place = _find(clause.tokens, frozenset(("insteadof",)))
    if place is None:
        return
    what = head(clause.tokens[place + 1 :], STOPS | _SPEAKERS)[0]
    if place:
        who = topic(clause.parts.subject) if clause.parts else NO_TOPIC
        yield _ended(who, what, NO_TOPIC, "use")
    elif names(what):
        yield _ended(NO_TOPIC, what, NO_TOPIC, "use")


def _gone(clause: Told) -> Iterator[Ended]:
    """`The old wiki is dead`."""
    parts = clause.parts
    if parts is None or parts.verb != "be" or not parts.rest or not parts.subject:
        return
    is_told = names(parts.subject) or parts.subject[0].key in ("the", "our", "my", "#")
    if parts.rest[0].key in _GONE and is_told:
        yield _ended(NO_TOPIC, parts.subject, NO_TOPIC, "drop")


def _no_longer(clause: Told) -> Iterator[Ended]:
    parts = clause.parts
    if parts is None or not (clause.has(Mark.ENDED) and clause.has(Mark.DENIED)):
        return
    if parts.verb in _KEPT_WORKING:
        yield Ended(
            topic(parts.subject).words, content(parts.rest), NO_TOPIC, parts.verb, is_act=False
        )


def _by_verb(clause: Told) -> Iterator[Ended | Became]:
    tokens = clause.tokens
    for place, token in enumerate(tokens):
        found: list[Ended | Became] = []
        is_going_on = token.form.endswith("ing")
        if is_going_on or is_noun(tokens, place) or _is_within_another(tokens, place):
            continue
        if token.key in REPLACING:
            found += _replaced(tokens, place)
        if token.key in CHANGING and not found:
            found += _taken(tokens, place)
        if token.key in ENDING and not found:
            found += _stopped(tokens, place)
        if token.key in ("join", "start", "become"):
            found += _begun(tokens, place)
        if found:
            yield from found
            return


def _is_within_another(tokens: Tokens, place: int) -> bool:
    """Whether another verb comes first, as in `sees dropped connections`."""
    before = tokens[:place]
    if any(
        spot and token.key in HOLDING and token.key != "have" and not is_noun(tokens, spot)
        for spot, token in enumerate(before)
    ):
        return True
    return any(one.key == "be" and other.form.endswith("ing") for one, other in pairwise(before))


def _taken(tokens: Tokens, place: int) -> Iterator[Ended | Became]:
    """`moved S from X to Y`, and `moved S to Y from X`."""
    goal = _goal(tokens, place)
    if goal is None or goal + 1 >= len(tokens):
        return
    verb = tokens[place].key
    value, rest = head(tokens[goal + 1 :], _AFTER_GOAL)
    purpose = topic(rest[1:]) if rest and rest[0].key in ("for", "as") else NO_TOPIC
    origin = _find(tokens, frozenset(("from",)))
    first = min(spot for spot in (place, goal, origin) if spot is not None)
    who = topic(tokens[:first])
    if origin is not None and origin < goal:
        thing = topic(tokens[place + 1 : origin]) if place < origin else NO_TOPIC
        what = head(tokens[origin + 1 : goal], _AFTER_ORIGIN)[0]
        yield _ended(who, what, thing | purpose, verb)
    else:
        thing = topic(tokens[place + 1 : goal])
        if rest and rest[0].key == "from":
            yield _ended(who, head(rest[1:])[0], thing, verb)
    yield _became(who | thing | purpose, value, verb)


def _goal(tokens: Tokens, place: int) -> int | None:
    """Where `to` is; in German it may stand before the verb."""
    verb = tokens[place].key
    links = _TO
    if verb in _IN_VERBS:
        links = links | {"in"}
    if verb in _AS_VERBS:
        links = links | {"as"}
    goal = _find(tokens, links, place)
    is_last = place == len(tokens) - 1
    return _find(tokens, _TO) if goal is None and is_last else goal


def _replaced(tokens: Tokens, place: int) -> Iterator[Ended | Became]:
    """`replaced X with Y`, `X was replaced by Y`, `Y replaced X`, `X by Y replaced`."""
    verb, subject = tokens[place].key, tokens[:place]
    link = _find(tokens, _WITH, place + 1)
    if link is not None:
        what = tokens[place + 1 : link]
        value, rest = head(tokens[link + 1 :], _AFTER_GOAL)
        scope = topic(rest[1:])
        is_active = bool(topic(what).words)
        yield _ended(
            topic(subject) if is_active else NO_TOPIC, what if is_active else subject, scope, verb
        )
        yield _became(scope, value, verb)
        return
    link = _find(subject, _WITH)
    if link is not None and place == len(tokens) - 1:
        yield _ended(NO_TOPIC, subject[:link], NO_TOPIC, verb)
        yield _became(NO_TOPIC, subject[link + 1 :], verb)
    elif names(subject) and names(tokens[place + 1 :]) and verb in ("replace", "supersede"):
        yield _ended(NO_TOPIC, head(tokens[place + 1 :])[0], NO_TOPIC, verb)
        yield _became(NO_TOPIC, subject, verb)


def _stopped(tokens: Tokens, place: int) -> Iterator[Ended | Became]:
    """`left X`, `dropped X for Y`, `quit at X`, `the X was cancelled`."""
    verb, subject = tokens[place].key, tokens[:place]
    what, rest = head(tokens[place + 1 :], _AFTER_END)
    link = rest[0].key if rest else ""
    if what and what[0].key == "work" and names(tokens[place + 1 :]):
        employer = tuple(token for token in tokens[place + 1 :] if token.is_name)
        yield _ended(topic(subject), employer, NO_TOPIC, "quit")
        return
    if _is_act(what):
        yield _ended(topic(subject), head(tokens[place + 1 :], _REASONS)[0], NO_TOPIC, verb)
        return
    if not content(what):
        is_told = tokens[place].form in PARTICIPLES or verb in ("die", "dismiss")
        if verb == "leave" or not is_told or not content(subject):
            return
        yield _ended(NO_TOPIC, subject, NO_TOPIC, verb)
    elif link in ("for", "infavourof") and names(head(rest[1:])[0]):
        yield _ended(topic(subject), what, NO_TOPIC, verb)
        yield _became(NO_TOPIC, head(rest[1:])[0], verb)
    elif link in ("for", "in"):
        yield _ended(topic(subject), what, topic(rest[1:]), verb)
    elif what[0].key in ("at", "from", "as") and verb == "quit":
        yield _ended(topic(subject), what[1:], NO_TOPIC, verb)
    else:
        yield _ended(topic(subject), what, NO_TOPIC, verb)


def _begun(tokens: Tokens, place: int) -> Iterator[Became]:
    """`joined X`, `started at X`, `became a Y`."""
    verb, rest = tokens[place].key, tokens[place + 1 :]
    about = topic(tokens[:place])
    if verb != "start":
        yield _became(about, head(rest)[0], verb)
    elif rest and rest[0].key in ("at", "with"):
        yield _became(about, head(rest[1:])[0], "join")
