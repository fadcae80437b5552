"""Rule of supersession: the same thing has another time, price, limit, version or address."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.clause_parts import ClauseMark
from tacit.language.supersession.clauses import MarkedClause
from tacit.language.supersession.lexicon import (
    ALSO_WORDS,
    CHANGE_VERBS,
    IMPLIED_WORDS,
    LEMMAS,
    TYING_VERBS,
)
from tacit.language.supersession.tokens import Token, to_canonical
from tacit.language.supersession.topics import (
    GENERIC_STEMS,
    ClauseTopic,
    Stems,
    find_topic,
    is_same_topic,
)

_WHEN = frozenset(("weekday", "date", "time"))
_SCHEDULING = (
    word_set("""
        be start begin happen occur take schedule plan hold expire renew close open end finish leave
        land arrive depart deploy release ship meet meeting publish bill pay due run wake last
        """)
    | CHANGE_VERBS
)
"""Verbs for events with one time; an activity may have many."""

_ASKING = word_set("""
    give create generate list suggest tell show make provide offer explain describe summarize help
    recommend find draft imagine proceed
    """)
_RULING = word_set("use keep limit wrap indent set retry cap run charge allow wait need")
_BOUNDS = word_set("above over under below beyond exceeding")
_FOR = frozenset(("for", "in", "during"))
_VAGUE = frozenset(("late", "earli", "mid", "end", "around", "forward", "later", "earlier"))
_ALIKE = (
    frozenset(("number", "money")),
    frozenset(("number", "age")),
)
_ALIKE_WHEN_CHANGED = (
    frozenset(("number", "count")),
    frozenset(("money",)),
    frozenset(("weekday", "date")),
    frozenset(("number", "duration")),
    frozenset(("number", "size")),
    frozenset(("number", "percent")),
)


class _ClauseFigures(NamedTuple):
    """The figures of a clause by kind, and what they are figures of."""

    about: ClauseTopic
    kinds: Mapping[str, Stems]
    has_one_time: bool


def has_another_figure(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether both give different figures of one kind for the same thing."""
    if was.has(ClauseMark.DENIED) or now.has(ClauseMark.DENIED):
        return False
    old, new = _read_figures(was), _read_figures(now)
    if old is None or new is None or not _is_same_thing(old, new, now):
        return False
    shared = _comparable_kinds(old, new, now.is_change)
    if not shared or not (now.is_change or _are_all(shared, old, new)):
        return False
    is_when = any(one in _WHEN for one, _ in shared)
    if is_when and not (now.is_change or (old.has_one_time and new.has_one_time)):
        return False
    return any(_differ(old.kinds[one], new.kinds[other]) for one, other in shared)


def _read_figures(clause: MarkedClause) -> _ClauseFigures | None:
    if not _is_statement(clause):
        return None
    tokens = _without_labels(clause, _without_origin(clause))
    kinds: dict[str, set[str]] = {}
    for token in tokens:
        if token.figure is not None:
            kinds.setdefault(token.figure.kind, set()).add(token.figure.value)
    if not kinds:
        return None
    about = find_topic(_without_verb(clause, tokens), ALSO_WORDS)
    told = frozenset[str]().union(
        *(IMPLIED_WORDS.get(_base_kind(kind), frozenset()) for kind in kinds)
    )
    has_one_time = not clause.keys.isdisjoint(_SCHEDULING) or clause.has(ClauseMark.MUST)
    if "have" in clause.keys or (clause.is_foreign and clause.person):
        has_one_time = clause.parts is not None and clause.parts.verb == "meet"
    elif clause.is_foreign and clause.parts is None:
        has_one_time = True
    return _ClauseFigures(
        about.without(told | _VAGUE) if about.words & (told | _VAGUE) else about,
        {kind: frozenset(values) for kind, values in kinds.items()},
        has_one_time,
    )


def _without_verb(clause: MarkedClause, tokens: Sequence[Token]) -> Iterator[Token]:
    """Drop figures, and a verb that only ties them to their thing."""
    verb = clause.parts.verb if clause.parts else ""
    for place, token in enumerate(tokens):
        key = LEMMAS.get(token.form, token.key)
        is_tie = key in TYING_VERBS and (key == verb or _follows(tokens, place, verb))
        if not is_tie:
            yield token._replace(figure=None)


def _follows(tokens: Sequence[Token], place: int, verb: str) -> bool:
    """Whether this is the `place` of `takes place`, or the `set` of `is set to`."""
    return place > 0 and tokens[place - 1].key in (verb, "be")


def _without_labels(clause: MarkedClause, tokens: Sequence[Token]) -> Sequence[Token]:
    """Turn figures that identify a thing into words: `iOS 7 is`, `the budget for 2024`."""
    count = len(clause.parts.subject) if clause.parts else 0
    later = [token for token in tokens[count:] if token.figure is not None]
    is_dated = any(token.figure and token.figure.kind != "date" for token in later)
    return [
        _to_word(token)
        if (place < count and (later or not token.stem) and not _is_bound(tokens, place))
        or (is_dated and place and _is_year(token) and tokens[place - 1].key in _FOR)
        else token
        for place, token in enumerate(tokens)
    ]


def _is_bound(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].key in _BOUNDS


def _is_year(token: Token) -> bool:
    return token.figure is not None and token.figure.kind == "date" and len(token.figure.value) == 4


def _to_word(token: Token) -> Token:
    if token.figure is None:
        return token
    return token._replace(figure=None, key=token.figure.value, stem=token.figure.value)


def _is_statement(clause: MarkedClause) -> bool:
    """Whether something has the figure, or a rule sets it."""
    parts = clause.parts
    if clause.tokens[0].key in _ASKING:
        return False
    if any(token.figure and token.figure.kind == "phone" for token in clause.tokens):
        return True
    if parts is None:
        return clause.has(ClauseMark.MUST) or clause.is_foreign
    if parts.subject or parts.verb in _RULING or clause.has(ClauseMark.MUST):
        return True
    return clause.change is not None and clause.tokens[clause.change].form != parts.verb


def _without_origin(clause: MarkedClause) -> Sequence[Token]:
    """Drop the 5 and the verb of change from `raised from 5 to 10 seconds`."""
    tokens = clause.unchanging
    keys = [token.key for token in tokens]
    if "from" not in keys or clause.change is None:
        return tokens
    start = keys.index("from")
    end = next((place for place in range(start, len(keys)) if keys[place] in ("to", "for")), None)
    if end is None or not any(token.figure for token in tokens[start:end]):
        return tokens
    return (*tokens[:start], *tokens[end:])


def _is_same_thing(old: _ClauseFigures, new: _ClauseFigures, now: MarkedClause) -> bool:
    if not old.about.words and old.kinds.keys().isdisjoint(("age", "phone")):
        return False
    if is_same_topic(old.about, new.about, now.is_change):
        return True
    added = new.about.words - old.about.words
    verb = (
        frozenset((now.parts.verb, to_canonical(now.parts.verb))) if now.parts else frozenset[str]()
    )
    return (
        now.is_change
        and len(added) == 1
        and added <= verb
        and bool((old.about.words & new.about.words) - GENERIC_STEMS)
        and old.about.words <= new.about.words
    )


def _base_kind(kind: str) -> str:
    return kind.partition("/")[0]


def _comparable_kinds(
    old: _ClauseFigures, new: _ClauseFigures, is_change: bool
) -> list[tuple[str, str]]:
    """Return the kinds of figures that can be compared."""
    same = [(kind, kind) for kind in old.kinds if kind in new.kinds]
    return same or [
        (one, other)
        for one in old.kinds
        for other in new.kinds
        if (pair := frozenset((_base_kind(one), _base_kind(other)))) in _ALIKE
        or (is_change and pair in _ALIKE_WHEN_CHANGED)
    ]


def _are_all(shared: Sequence[tuple[str, str]], old: _ClauseFigures, new: _ClauseFigures) -> bool:
    return len(shared) == len(old.kinds) == len(new.kinds)


def _differ(old: Stems, new: Stems) -> bool:
    one, other = _with_months(old), _with_months(new)
    return not (one <= other or other <= one)


def _with_months(values: Stems) -> Stems:
    """Add their months to dates, so that a month does not contradict its own days."""
    days = {f"m{value[-5:-3]}" for value in values if len(value) in (5, 10) and value[-3] == "-"}
    months = {f"m{value[-2:]}" for value in values if len(value) == 7 and value[4] == "-"}
    return values if months else values | days
