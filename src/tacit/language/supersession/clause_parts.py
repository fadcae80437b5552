"""The subject, verb and object of a clause, and its marks: denied, doubtful, new, past."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tacit.language.statements.verbs import ADJECTIVES
from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.lexicon import (
    ALSO_WORDS,
    CHANGE_VERBS,
    DENIALS,
    EVENT_VERBS,
    FINAL_ALSO_WORDS,
    FORMER_WORDS,
    FUNCTION_WORDS,
    HALF_DENIED,
    HEDGES,
    LEMMAS,
    MILD,
    NOW_WORDS,
    PARTICIPLES,
    PAST_FORMS,
    PAST_VERBS,
    STATE_VERBS,
    VAGUE_OWNERS,
    VAGUE_SUBJECTS,
    VERBS,
)
from tacit.language.supersession.tokens import Token, Tokens, to_canonical
from tacit.language.supersession.word_classes import DOMAINS

# Parts: subject, verb and object.


LINKS = word_set("in at on under with for by to of from as into onto via behind")
"""Prepositions that tie a value to its verb."""

BEFORE_NOUNS = word_set("""
    a an the my our your his her its their this that of for in on at with no every each all any new
    """)
"""Words that no verb follows."""

PRONOUNS = word_set("i we you he she it they that there user")
MODALS = word_set("must may can will should shall")

_AFTER_VERBS = LINKS | word_set("the a within after before until till every about over between")
_BEING = word_set("be was were get")
_SHORT_FORM = 4
_PRESENT = {
    "made": "make", "done": "do", "given": "give", "taught": "teach", "drawn": "draw",
    "shown": "show", "seen": "see",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClauseParts:
    """A clause split at its verb."""

    subject: Tokens
    verb: str
    is_passive: bool
    link: str
    """The preposition that follows the verb."""
    rest: Tokens


def is_verb(token: Token) -> bool:
    """Whether a word may be a verb."""
    return token.key in VERBS


def parse_parts(tokens: Tokens) -> ClauseParts | None:
    """Split a clause into its parts; None without a verb."""
    place = _find_verb(tokens)
    if place is None:
        return None
    verb, after, is_passive = tokens[place].key, place + 1, False
    following = tokens[after].key if after < len(tokens) else ""
    if verb in _BEING and _is_participle(tokens, after):
        verb, after, is_passive = _to_present(following), after + 1, True
    elif (verb in _BEING and _is_going_on(tokens, after)) or (
        verb == "have" and following in STATE_VERBS
    ):
        verb, after = following.removesuffix("ing"), after + 1
    link = tokens[after].key if after < len(tokens) and tokens[after].key in LINKS else ""
    known = verb if verb in VERBS else to_canonical(verb)
    return ClauseParts(tokens[:place], known, is_passive, link, tokens[after + bool(link) :])


def _is_participle(tokens: Tokens, place: int) -> bool:
    if place >= len(tokens):
        return False
    form = tokens[place].form
    if form in PARTICIPLES:
        return True
    describes = form in ADJECTIVES or form in DOMAINS
    return form.endswith("ed") and len(form) > _SHORT_FORM and not describes


def _is_going_on(tokens: Tokens, place: int) -> bool:
    """Whether a verb in -ing follows `is`, as in `is using`."""
    if place >= len(tokens) or not tokens[place].form.endswith("ing"):
        return False
    stem = tokens[place].form.removesuffix("ing")
    return tokens[place].key in STATE_VERBS or stem in STATE_VERBS or f"{stem}e" in STATE_VERBS


def _to_present(key: str) -> str:
    return _PRESENT.get(key) or LEMMAS.get(key, key)


def _find_verb(tokens: Tokens) -> int | None:
    """Find the verb: the first word that can be one and is not used as a noun."""
    for place, token in enumerate(tokens):
        if is_verb(token) and not is_used_as_noun(tokens, place):
            return place
    places = range(1, len(tokens))
    return next((place for place in places if _looks_like_a_verb(tokens, place)), None)


def is_used_as_verb(tokens: Tokens, place: int) -> bool:
    """Whether a word is used as a verb: in a past form, or where only a verb can stand."""
    token = tokens[place]
    if is_used_as_noun(tokens, place):
        return False
    if token.form != token.key or token.form in PARTICIPLES:
        return True
    before = tokens[place - 1].key if place else ""
    return not before or before in PRONOUNS or before in MODALS or before in ("to", "and")


def is_used_as_noun(tokens: Tokens, place: int) -> bool:
    """Whether a word that can be a verb is used as a noun, as in `database changes are`."""
    key = tokens[place].key
    if key in ("be", "have"):
        return False
    if place and tokens[place - 1].key in BEFORE_NOUNS:
        return True
    if place == 0 and key in CHANGE_VERBS and tokens[place].form.endswith("ing"):
        return True
    later = [token.key for token in tokens[place + 1 : place + 4]]
    if later and later[0] in EVENT_VERBS and tokens[place + 1].form in PARTICIPLES:
        return key not in EVENT_VERBS or key in CHANGE_VERBS
    if later and key in CHANGE_VERBS and later[0] in VERBS:
        return True
    if place == 0 and len(tokens) > 2 and _looks_like_a_verb(tokens, 1):
        return True
    if later and later[0] in ("be", "have", "was", "were"):
        return True
    is_plain = key not in CHANGE_VERBS or tokens[place].form == key
    is_early = place < 3 and is_plain and tokens[0].key not in PRONOUNS
    return is_early and not {"be", "have"}.isdisjoint(later)


def _looks_like_a_verb(tokens: Tokens, place: int) -> bool:
    """Whether an unknown word is a verb by its place: after `we`, or `-s` before a value."""
    token, before = tokens[place], tokens[place - 1]
    if token.is_name or token.figure is not None or token.key in FUNCTION_WORDS:
        return False
    if before.key in PRONOUNS or before.key in MODALS:
        return True
    form = token.form
    is_third_person = form.endswith("s") and not form.endswith(("ss", "us", "is"))
    if place + 1 >= len(tokens) or not is_third_person:
        return False
    after = tokens[place + 1]
    return after.figure is not None or after.is_name or after.key in _AFTER_VERBS


# Marks: denied, doubtful, new, past, one thing more.


_AUXILIARIES = word_set("be was were have had get")
_TIMES = word_set("""
    week month year spring summer autumn fall winter night weekend quarter sprint morning evening
    """)
_BEFORE_TIMES = word_set("last this past next coming")
_INTERJECTIONS = word_set("yeah yes oh ok okay wow hey hi haha sure right honestly luckily")
_ORDINALS = word_set("first second third fourth last 1st 2nd 3rd 4th")
_SHORT_KEY = 4


class ClauseMark(StrEnum):
    """What a clause says about its own statement: that it is new, denied, doubtful or past."""

    NOW = "now"
    """It says how things are since a change."""
    ENDED = "ended"
    """It says that something no longer holds."""
    DENIED = "denied"
    ALSO = "also"
    """It adds something to what holds."""
    DOUBTFUL = "doubtful"
    """It is wished, supposed, asked or conditional."""
    CLOSED = "closed"
    """It says that this is over."""
    PAST = "past"
    """Its verb is in the past, and is not a change that still holds."""
    AHEAD = "ahead"
    """It is about the future."""
    MUST = "must"
    MAY = "may"


def read_marks(piece: Tokens) -> tuple[set[ClauseMark], list[Token]]:
    """Return the marks of a clause, and its words without those that only mark it."""
    marks: set[ClauseMark] = set()
    kept: list[Token] = []
    place = 0
    while place < len(piece):
        if _ends_here(piece, place):
            marks.add(ClauseMark.NOW)
            break
        size = _time_at(piece, place, marks)
        if not size and not _take_mark(piece, place, marks):
            kept.append(piece[place])
        place += size or 1
    if _is_vague(kept):
        marks.add(ClauseMark.DOUBTFUL)
    if _is_past(kept):
        marks.add(ClauseMark.PAST)
    return marks, _without_auxiliaries(kept, ClauseMark.DENIED in marks)


def _is_vague(kept: Sequence[Token]) -> bool:
    """Whether only the text before tells who is meant; `they moved it to May` is impersonal."""
    verb = next((place for place, token in enumerate(kept) if is_verb(token)), 1)
    subject = {token.key for token in kept[:verb]}
    if kept and kept[0].key in VAGUE_OWNERS:
        return len(kept) > 1
    if subject.isdisjoint(VAGUE_SUBJECTS) or not subject <= FUNCTION_WORDS | _INTERJECTIONS:
        return False
    is_anybody = "they" in subject and any(each.key in CHANGE_VERBS for each in kept[:3])
    return not (is_anybody and any(each.key == "to" for each in kept))


def _ends_here(piece: Tokens, place: int) -> bool:
    """Whether only `since March` follows."""
    if place + 1 >= len(piece):
        return False
    key, after = piece[place].key, piece[place + 1]
    return key == "since" or (key in ("starting", "effective") and after.figure is not None)


def _time_at(piece: Tokens, place: int, marks: set[ClauseMark]) -> int:
    """Return how many words here say when something was."""
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
            marks.add(ClauseMark.AHEAD)
        return 2
    return 0


def _take_mark(piece: Tokens, place: int, marks: set[ClauseMark]) -> bool:
    """Record what a word says about its clause; return whether it says nothing else."""
    token = piece[place]
    key = token.key
    if token.is_name:
        return False
    after = piece[place + 1] if place + 1 < len(piece) else None
    if key == "want" and after is not None and after.key == "to":
        marks.add(ClauseMark.DOUBTFUL)
        return False
    found = _MARKS.get(key)
    if found is not None:
        marks.update(found)
        return key not in HEDGES and key not in FORMER_WORDS and key not in MODALS
    if key in MILD:
        return True
    if key in DENIALS:
        return _take_denial(key, after, marks)
    if (key in FINAL_ALSO_WORDS and after is None) or _counts_another(piece, place):
        marks.add(ClauseMark.ALSO)
        return True
    return False


_MARKS: dict[str, tuple[ClauseMark, ...]] = {
    **dict.fromkeys(NOW_WORDS, (ClauseMark.NOW,)),
    **dict.fromkeys(ALSO_WORDS, (ClauseMark.ALSO,)),
    **dict.fromkeys(HEDGES, (ClauseMark.DOUBTFUL,)),
    **dict.fromkeys(FORMER_WORDS, (ClauseMark.CLOSED,)),
    "usedto": (ClauseMark.NOW, ClauseMark.ENDED, ClauseMark.DENIED),
    "nolonger": (ClauseMark.NOW, ClauseMark.ENDED, ClauseMark.DENIED),
    "anymore": (ClauseMark.NOW, ClauseMark.ENDED),
    "must": (ClauseMark.MUST,),
    "may": (ClauseMark.MAY,),
    "will": (ClauseMark.AHEAD,),
}


def _take_denial(key: str, after: Token | None, marks: set[ClauseMark]) -> bool:
    if after is not None and after.key in HALF_DENIED and key == "not":
        marks.add(ClauseMark.DOUBTFUL)
        return True
    if key == "no" and after is not None and after.figure is not None:
        return False
    marks.add(ClauseMark.DENIED)
    return key != "nomore"


def _counts_another(piece: Tokens, place: int) -> bool:
    """Whether this is the `second` of `a second replica`."""
    is_ordinal = piece[place].key in ("second", "third", "2nd", "3rd")
    return is_ordinal and place > 0 and piece[place - 1].key in ("a", "the", "my", "our")


def _is_past(kept: Sequence[Token]) -> bool:
    """Whether the first verb is in the past and states no change."""
    for place, token in enumerate(kept):
        key = token.key
        if key in ("was", "were", "had", "did"):
            return not any(map(_is_news_of_a_state, kept[place + 1 : place + 4]))
        if key in PAST_VERBS or key in PAST_FORMS:
            return True
        if is_verb(token):
            return False
        if place and not token.is_name and _looks_past(kept, place):
            return True
    return False


def _looks_past(kept: Sequence[Token], place: int) -> bool:
    """Whether an unknown word is a past form, unlike in `the embedded board`."""
    key = kept[place].key
    return len(key) > _SHORT_KEY and key.endswith("ed") and kept[place - 1].key not in BEFORE_NOUNS


def _is_news_of_a_state(token: Token) -> bool:
    return token.key in EVENT_VERBS or DOMAINS.get(token.form, ("",))[0] == "status"


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
    return place + 1 < len(kept) and (
        kept[place + 1].key in EVENT_VERBS or kept[place + 1].key == "be"
    )
