"""What kind of news a clause is: denied, doubtful, new, over, one thing more."""

from collections.abc import Sequence
from enum import StrEnum

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.domains import DOMAINS
from tacit.language.statements.succession.lexicon import (
    ALSO,
    CLOSED,
    DENIALS,
    FUNCTION,
    HALF_DENIED,
    HEDGES,
    LAST_ALSO,
    MILD,
    NOW,
    VAGUE_OWNERS,
    VAGUE_SUBJECTS,
)
from tacit.language.statements.succession.parts import BEFORE_NOUNS, MODALS, is_verb
from tacit.language.statements.succession.verbs import CHANGING, NEWS, PAST_FORMS, PASTS
from tacit.language.statements.succession.wording import Token, Tokens

_AUXILIARIES = word_set("be was were have had get")
_TIMES = word_set("""
    week month year spring summer autumn fall winter night weekend quarter sprint morning evening
    """)
_BEFORE_TIMES = word_set("last this past next coming")
_CALLS = word_set("yeah yes oh ok okay wow hey hi haha sure right honestly luckily")
_ORDINALS = word_set("first second third fourth last 1st 2nd 3rd 4th")
_SHORT = 4


class Mark(StrEnum):
    """What a clause is besides what it says."""

    NOW = "now"
    """It says that this is how things are since something changed."""
    ENDED = "ended"
    """It says that something is so no longer."""
    DENIED = "denied"
    ALSO = "also"
    """It puts something beside what holds."""
    DOUBTFUL = "doubtful"
    """It is wished, supposed, asked or true only at times."""
    CLOSED = "closed"
    """It says itself that this is over."""
    PAST = "past"
    """Its verb is in the past, and is not a change that still holds."""
    AHEAD = "ahead"
    """It speaks of what will be."""
    MUST = "must"
    MAY = "may"


def marked(piece: Tokens) -> tuple[set[Mark], list[Token]]:
    """The marks of a clause, and its words without those that only mark it."""
    marks: set[Mark] = set()
    kept: list[Token] = []
    place = 0
    while place < len(piece):
        if _ends_here(piece, place):
            marks.add(Mark.NOW)
            break
        size = _time_at(piece, place, marks)
        if not size and not _take_mark(piece, place, marks):
            kept.append(piece[place])
        place += size or 1
    if _is_vague(kept):
        marks.add(Mark.DOUBTFUL)
    if _is_past(kept):
        marks.add(Mark.PAST)
    return marks, _without_auxiliaries(kept, Mark.DENIED in marks)


def _is_vague(kept: Sequence[Token]) -> bool:
    """Whether only the text before could tell who is meant; `they moved it to May` is anybody."""
    verb = next((place for place, token in enumerate(kept) if is_verb(token)), 1)
    subject = {token.key for token in kept[:verb]}
    if kept and kept[0].key in VAGUE_OWNERS:
        return len(kept) > 1
    if subject.isdisjoint(VAGUE_SUBJECTS) or not subject <= FUNCTION | _CALLS:
        return False
    is_anybody = "they" in subject and any(each.key in CHANGING for each in kept[:3])
    return not (is_anybody and any(each.key == "to" for each in kept))


def _ends_here(piece: Tokens, place: int) -> bool:
    """Whether only `since March` follows."""
    if place + 1 >= len(piece):
        return False
    key, after = piece[place].key, piece[place + 1]
    return key == "since" or (key in ("starting", "effective") and after.figure is not None)


def _time_at(piece: Tokens, place: int, marks: set[Mark]) -> int:
    """How many words say when this was, and are no part of it."""
    key = piece[place].key
    after = piece[place + 1] if place + 1 < len(piece) else None
    if after is None:
        return 0
    is_weekday = after.figure is not None and after.figure.kind == "weekday"
    if is_weekday and (
        key == "next" or (key in _ORDINALS and place and piece[place - 1].key == "the")
    ):
        return 1
    if key in _BEFORE_TIMES and (after.key in _TIMES or is_weekday):
        if key in ("next", "coming"):
            marks.add(Mark.AHEAD)
        return 2
    return 0


def _take_mark(piece: Tokens, place: int, marks: set[Mark]) -> bool:
    """Note what a word says of its clause; whether it says nothing else."""
    token = piece[place]
    key = token.key
    if token.is_name:
        return False
    after = piece[place + 1] if place + 1 < len(piece) else None
    if key == "want" and after is not None and after.key == "to":
        marks.add(Mark.DOUBTFUL)
        return False
    found = _MARKS.get(key)
    if found is not None:
        marks.update(found)
        return key not in HEDGES and key not in CLOSED and key not in MODALS
    if key in MILD:
        return True
    if key in DENIALS:
        return _take_denial(key, after, marks)
    if (key in LAST_ALSO and after is None) or _counts_on(piece, place):
        marks.add(Mark.ALSO)
        return True
    return False


_MARKS: dict[str, tuple[Mark, ...]] = {
    **dict.fromkeys(NOW, (Mark.NOW,)),
    **dict.fromkeys(ALSO, (Mark.ALSO,)),
    **dict.fromkeys(HEDGES, (Mark.DOUBTFUL,)),
    **dict.fromkeys(CLOSED, (Mark.CLOSED,)),
    "usedto": (Mark.NOW, Mark.ENDED, Mark.DENIED),
    "nolonger": (Mark.NOW, Mark.ENDED, Mark.DENIED),
    "anymore": (Mark.NOW, Mark.ENDED),
    "must": (Mark.MUST,),
    "may": (Mark.MAY,),
    "will": (Mark.AHEAD,),
}


def _take_denial(key: str, after: Token | None, marks: set[Mark]) -> bool:
    if after is not None and after.key in HALF_DENIED and key == "not":
        marks.add(Mark.DOUBTFUL)
        return True
    if key == "no" and after is not None and after.figure is not None:
        return False
    marks.add(Mark.DENIED)
    return key != "nomore"


def _counts_on(piece: Tokens, place: int) -> bool:
    """Whether this is the `second` of `a second replica`."""
    is_ordinal = piece[place].key in ("second", "third", "2nd", "3rd")
    return is_ordinal and place > 0 and piece[place - 1].key in ("a", "the", "my", "our")


def _is_past(kept: Sequence[Token]) -> bool:
    """Whether the first verb is in the past and tells of no change."""
    for place, token in enumerate(kept):
        key = token.key
        if key in ("was", "were", "had", "did"):
            return not any(map(_is_news_of_a_state, kept[place + 1 : place + 4]))
        if key in PASTS or key in PAST_FORMS:
            return True
        if is_verb(token):
            return False
        if place and not token.is_name and _looks_past(kept, place):
            return True
    return False


def _looks_past(kept: Sequence[Token], place: int) -> bool:
    """Whether an unknown word is a past form, and not as in `the embedded board`."""
    key = kept[place].key
    return len(key) > _SHORT and key.endswith("ed") and kept[place - 1].key not in BEFORE_NOUNS


def _is_news_of_a_state(token: Token) -> bool:
    return token.key in NEWS or DOMAINS.get(token.form, ("",))[0] == "status"


def _without_auxiliaries(kept: Sequence[Token], is_denied: bool) -> list[Token]:
    return [
        token
        for place, token in enumerate(kept)
        if not (
            (
                token.key in ("do", "did")
                and (is_denied or any(map(is_verb, kept[place + 1 : place + 2])))
            )
            or (token.key in _AUXILIARIES and _is_followed_by_news(kept, place))
        )
    ]


def _is_followed_by_news(kept: Sequence[Token], place: int) -> bool:
    return place + 1 < len(kept) and (kept[place + 1].key in NEWS or kept[place + 1].key == "be")
