"""Find what a clause says has ended, and what has come instead."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.attributes import VALUE_STOPS, split_head
from tacit.language.supersession.clause_parts import ClauseMark, is_used_as_noun
from tacit.language.supersession.clauses import MarkedClause
from tacit.language.supersession.lexicon import (
    CHANGE_VERBS,
    END_VERBS,
    PARTICIPLES,
    REPLACE_VERBS,
    STATE_VERBS,
)
from tacit.language.supersession.tokens import Tokens
from tacit.language.supersession.topics import (
    NO_TOPIC,
    ClauseTopic,
    Stems,
    content_stems,
    find_topic,
    name_stems,
    product_kinds,
)
from tacit.language.supersession.word_classes import is_job

_TO = frozenset(("to", "into", "onto"))
_WITH = frozenset(("with", "by", "for", "infavourof"))
_IN_VERBS = word_set("rewrite rebuild redo")
_AS_VERBS = word_set("rename promote rebrand rewrite rebuild")
_AFTER_ORIGIN = word_set("over back across all straight")
_AFTER_GOAL = VALUE_STOPS | word_set("in on at move switch change migrate")
_AFTER_END = _WITH | word_set("because to after when in at from insteadof")
_SPEAKERS = word_set("i we you use")
_REASONS = word_set("because after when since so")
_GONE_WORDS = word_set("dead gone obsolete history defunct")
_KEPT_WORKING = word_set(
    "use have like love enjoy drink eat smoke prefer take live work run own drive be host wear"
)


class EndedFact(NamedTuple):
    """Something that no longer holds."""

    who: Stems
    what: Stems
    scope: ClauseTopic
    """What it ended for; empty if it ended in general."""
    verb: str
    is_act: bool
    """Whether it is an activity."""


class NewFact(NamedTuple):
    """What something became."""

    about: ClauseTopic
    value: Stems
    names: Stems
    tools: Stems
    verb: str
    is_job: bool
    is_figure: bool


def find_changes(clause: MarkedClause) -> tuple[tuple[EndedFact, ...], tuple[NewFact, ...]]:
    """Find what a clause says has ended, and what has come instead."""
    found: list[EndedFact | NewFact] = [
        *_find_instead(clause),
        *_find_gone(clause),
        *_find_no_longer(clause),
    ]
    if not clause.has(ClauseMark.DENIED) or "nomore" in clause.keys:
        found += _find_by_verb(clause)
    return (
        tuple(each for each in found if isinstance(each, EndedFact)),
        tuple(each for each in found if isinstance(each, NewFact)),
    )


def _build_ended(who: ClauseTopic, what: Tokens, scope: ClauseTopic, verb: str) -> EndedFact:
    return EndedFact(who.words, content_stems(what), scope, verb, _is_act(what))


def _is_act(what: Tokens) -> bool:
    """Whether an activity is named, as in `smoking`."""
    if what and what[0].key in ("the", "my", "our", "a", "an"):
        return False
    first = next((token for token in what if content_stems((token,))), None)
    return first is not None and (first.key in STATE_VERBS or first.form.endswith("ing"))


def _build_new(about: ClauseTopic, value: Tokens, verb: str) -> NewFact:
    is_figure = any(token.figure is not None for token in value) and not name_stems(value)
    return NewFact(
        about,
        content_stems(value),
        name_stems(value),
        product_kinds(value),
        verb,
        is_job(value),
        is_figure,
    )


def _find_key(tokens: Tokens, keys: frozenset[str], start: int = 0) -> int | None:
    return next((place for place in range(start, len(tokens)) if tokens[place].key in keys), None)


def _find_instead(clause: MarkedClause) -> Iterator[EndedFact]:
    place = _find_key(clause.tokens, frozenset(("insteadof",)))
    if place is None:
        return
    what = split_head(clause.tokens[place + 1 :], VALUE_STOPS | _SPEAKERS)[0]
    if place:
        who = find_topic(clause.parts.subject) if clause.parts else NO_TOPIC
        yield _build_ended(who, what, NO_TOPIC, "use")
    elif name_stems(what):
        yield _build_ended(NO_TOPIC, what, NO_TOPIC, "use")


def _find_gone(clause: MarkedClause) -> Iterator[EndedFact]:
    """`The old wiki is dead`."""
    parts = clause.parts
    if parts is None or parts.verb != "be" or not parts.rest or not parts.subject:
        return
    is_told = name_stems(parts.subject) or parts.subject[0].key in ("the", "our", "my", "#")
    if parts.rest[0].key in _GONE_WORDS and is_told:
        yield _build_ended(NO_TOPIC, parts.subject, NO_TOPIC, "drop")


def _find_no_longer(clause: MarkedClause) -> Iterator[EndedFact]:
    parts = clause.parts
    if parts is None or not (clause.has(ClauseMark.ENDED) and clause.has(ClauseMark.DENIED)):
        return
    if parts.verb in _KEPT_WORKING:
        yield EndedFact(
            find_topic(parts.subject).words,
            content_stems(parts.rest),
            NO_TOPIC,
            parts.verb,
            is_act=False,
        )


def _find_by_verb(clause: MarkedClause) -> Iterator[EndedFact | NewFact]:
    tokens = clause.tokens
    for place, token in enumerate(tokens):
        found: list[EndedFact | NewFact] = []
        is_going_on = token.form.endswith("ing")
        if is_going_on or is_used_as_noun(tokens, place) or _is_within_another(tokens, place):
            continue
        if token.key in REPLACE_VERBS:
            found += _find_replaced(tokens, place)
        if token.key in CHANGE_VERBS and not found:
            found += _find_moved(tokens, place)
        if token.key in END_VERBS and not found:
            found += _find_stopped(tokens, place)
        if token.key in ("join", "start", "become"):
            found += _find_begun(tokens, place)
        if found:
            yield from found
            return


def _is_within_another(tokens: Tokens, place: int) -> bool:
    """Whether another verb comes first, as in `sees dropped connections`."""
    before = tokens[:place]
    if any(
        spot
        and token.key in STATE_VERBS
        and token.key != "have"
        and not is_used_as_noun(tokens, spot)
        for spot, token in enumerate(before)
    ):
        return True
    return any(one.key == "be" and other.form.endswith("ing") for one, other in pairwise(before))


def _find_moved(tokens: Tokens, place: int) -> Iterator[EndedFact | NewFact]:
    """`moved S from X to Y`, and `moved S to Y from X`."""
    goal = _find_goal(tokens, place)
    if goal is None or goal + 1 >= len(tokens):
        return
    verb = tokens[place].key
    value, rest = split_head(tokens[goal + 1 :], _AFTER_GOAL)
    purpose = find_topic(rest[1:]) if rest and rest[0].key in ("for", "as") else NO_TOPIC
    origin = _find_key(tokens, frozenset(("from",)))
    first = min(spot for spot in (place, goal, origin) if spot is not None)
    who = find_topic(tokens[:first])
    if origin is not None and origin < goal:
        thing = find_topic(tokens[place + 1 : origin]) if place < origin else NO_TOPIC
        what = split_head(tokens[origin + 1 : goal], _AFTER_ORIGIN)[0]
        yield _build_ended(who, what, thing | purpose, verb)
    else:
        thing = find_topic(tokens[place + 1 : goal])
        if rest and rest[0].key == "from":
            yield _build_ended(who, split_head(rest[1:])[0], thing, verb)
    yield _build_new(who | thing | purpose, value, verb)


def _find_goal(tokens: Tokens, place: int) -> int | None:
    """Return where `to` stands; in German it may stand before the verb."""
    verb = tokens[place].key
    links = _TO
    if verb in _IN_VERBS:
        links = links | {"in"}
    if verb in _AS_VERBS:
        links = links | {"as"}
    goal = _find_key(tokens, links, place)
    is_last = place == len(tokens) - 1
    return _find_key(tokens, _TO) if goal is None and is_last else goal


def _find_replaced(tokens: Tokens, place: int) -> Iterator[EndedFact | NewFact]:
    """`replaced X with Y`, `X was replaced by Y`, `Y replaced X`, `X by Y replaced`."""
    verb, subject = tokens[place].key, tokens[:place]
    link = _find_key(tokens, _WITH, place + 1)
    if link is not None:
        what = tokens[place + 1 : link]
        value, rest = split_head(tokens[link + 1 :], _AFTER_GOAL)
        scope = find_topic(rest[1:])
        is_active = bool(find_topic(what).words)
        yield _build_ended(
            find_topic(subject) if is_active else NO_TOPIC,
            what if is_active else subject,
            scope,
            verb,
        )
        yield _build_new(scope, value, verb)
        return
    link = _find_key(subject, _WITH)
    if link is not None and place == len(tokens) - 1:
        yield _build_ended(NO_TOPIC, subject[:link], NO_TOPIC, verb)
        yield _build_new(NO_TOPIC, subject[link + 1 :], verb)
    elif (
        name_stems(subject) and name_stems(tokens[place + 1 :]) and verb in ("replace", "supersede")
    ):
        yield _build_ended(NO_TOPIC, split_head(tokens[place + 1 :])[0], NO_TOPIC, verb)
        yield _build_new(NO_TOPIC, subject, verb)


def _find_stopped(tokens: Tokens, place: int) -> Iterator[EndedFact | NewFact]:
    """`left X`, `dropped X for Y`, `quit at X`, `the X was cancelled`."""
    verb, subject = tokens[place].key, tokens[:place]
    what, rest = split_head(tokens[place + 1 :], _AFTER_END)
    link = rest[0].key if rest else ""
    if what and what[0].key == "work" and name_stems(tokens[place + 1 :]):
        employer = tuple(token for token in tokens[place + 1 :] if token.is_name)
        yield _build_ended(find_topic(subject), employer, NO_TOPIC, "quit")
        return
    if _is_act(what):
        yield _build_ended(
            find_topic(subject), split_head(tokens[place + 1 :], _REASONS)[0], NO_TOPIC, verb
        )
        return
    if not content_stems(what):
        is_told = tokens[place].form in PARTICIPLES or verb in ("die", "dismiss")
        if verb == "leave" or not is_told or not content_stems(subject):
            return
        yield _build_ended(NO_TOPIC, subject, NO_TOPIC, verb)
    elif link in ("for", "infavourof") and name_stems(split_head(rest[1:])[0]):
        yield _build_ended(find_topic(subject), what, NO_TOPIC, verb)
        yield _build_new(NO_TOPIC, split_head(rest[1:])[0], verb)
    elif link in ("for", "in"):
        yield _build_ended(find_topic(subject), what, find_topic(rest[1:]), verb)
    elif what[0].key in ("at", "from", "as") and verb == "quit":
        yield _build_ended(find_topic(subject), what[1:], NO_TOPIC, verb)
    else:
        yield _build_ended(find_topic(subject), what, NO_TOPIC, verb)


def _find_begun(tokens: Tokens, place: int) -> Iterator[NewFact]:
    """`joined X`, `started at X`, `became a Y`."""
    verb, rest = tokens[place].key, tokens[place + 1 :]
    about = find_topic(tokens[:place])
    if verb != "start":
        yield _build_new(about, split_head(rest)[0], verb)
    elif rest and rest[0].key in ("at", "with"):
        yield _build_new(about, split_head(rest[1:])[0], "join")
