"""What a text tells, clause by clause: about whom, by which verb, and what kind of news it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from tacit.statements.listing import word_set
from tacit.statements.succession.domains import DOMAINS
from tacit.statements.succession.lexicon import (
    ALSO,
    CLOSED,
    CONDITIONS,
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
from tacit.statements.succession.verbs import (
    CHANGING,
    HOLDING,
    LEMMAS,
    NEWS,
    PARTICIPLES,
    PAST_FORMS,
    PASTS,
    REPLACING,
    VERBS,
)
from tacit.statements.succession.wording import Token, canonical, worded
from tacit.statements.verbs import ADJECTIVES

Tokens = tuple[Token, ...]

LINKS = word_set("in at on under with for by to of from as into onto via behind")
"""Prepositions that tie a value to its verb."""

_AFTER_VERBS = LINKS | word_set("the a within after before until till every about over between")
_BEFORE_NOUNS = word_set("""
    a an the my our your his her its their this that of for in on at with no every each all any new
    """)
_BEING = word_set("be was were get")
_AUXILIARIES = word_set("be was were have had get")
_PRONOUNS = word_set("i we you he she it they that there user")
_COORDINATING = word_set("and but so then yet")
_SUBORDINATING = word_set("because although though since as which who while whereas")
_TIMES = word_set("""
    week month year spring summer autumn fall winter night weekend quarter sprint morning evening
    """)
_BEFORE_TIMES = word_set("last this past next coming")
_CALLS = word_set("yeah yes oh ok okay wow hey hi haha sure right honestly luckily")
_MODALS = word_set("must may can will should shall")
_ORDINALS = word_set("first second third fourth last 1st 2nd 3rd 4th")
_LEADING = word_set("in on at for with during after before from under within per")
_FAR = 6
_SHORT = 4


_PRESENT = {
    "made": "make", "done": "do", "given": "give", "taught": "teach", "drawn": "draw",
    "shown": "show", "seen": "see",
}  # fmt: skip


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


@dataclass(frozen=True, eq=False)
class Told:
    """One clause."""

    tokens: Tokens
    marks: frozenset[Mark]
    speaker: str
    is_foreign: bool
    stands_alone: bool
    """Whether it is a statement of its own, not a detail of the one before."""

    def has(self, *marks: Mark) -> bool:
        """Whether it has any of these marks."""
        return not self.marks.isdisjoint(marks)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Its words as grammar sees them."""
        return frozenset(token.key for token in self.tokens)

    @cached_property
    def change(self) -> int | None:
        """Where its verb of change is."""
        for place in range(len(self.tokens) - 1, -1, -1):
            key = self.tokens[place].key
            if (key in CHANGING or key in REPLACING) and _is_told(self.tokens, place):
                return place
        return None

    @cached_property
    def is_change(self) -> bool:
        """Whether it says that something changed, or how it is since then."""
        return self.has(Mark.NOW) or self.change is not None

    @cached_property
    def unchanging(self) -> Tokens:
        """Its words without the verb of change."""
        return tuple(token for place, token in enumerate(self.tokens) if place != self.change)

    @cached_property
    def person(self) -> str:
        """Whether its subject is who speaks or who is spoken to, if either."""
        subject = {token.key for token in self.parts.subject} if self.parts else set[str]()
        if not subject.isdisjoint(("i", "we", "user")):
            return "i"
        if self.is_foreign and not subject and self.parts:
            return "i"
        return "you" if "you" in subject else ""

    @cached_property
    def parts(self) -> "Parts | None":
        """Its subject, verb and the rest; None without a verb."""
        return _parts(self.tokens)


@dataclass(frozen=True, slots=True)
class Parts:
    """A clause around its verb."""

    subject: Tokens
    verb: str
    is_passive: bool
    link: str
    """The preposition that follows the verb."""
    rest: Tokens


@lru_cache(maxsize=8_192)
def told(text: str) -> tuple[Told, ...]:
    """The clauses of a text; questions tell nothing."""
    form = worded(text)
    return tuple(
        clause
        for sentence in form.sentences
        for clause in _clauses(sentence, form.speaker, form.is_foreign)
    )


def is_verb(token: Token) -> bool:
    """Whether a word may be a verb."""
    return token.key in VERBS


def _clauses(sentence: Tokens, speaker: str, is_foreign: bool) -> Iterator[Told]:
    is_conditional = any(
        token.key in CONDITIONS and not _begins_a_name(sentence, place)
        for place, token in enumerate(sentence)
    )
    for piece, stands_alone in _pieces(sentence):
        marks, kept = _marked(piece)
        if is_conditional:
            marks.add(Mark.DOUBTFUL)
        if kept:
            yield Told(tuple(kept), frozenset(marks), speaker, is_foreign, stands_alone)


def _begins_a_name(sentence: Tokens, place: int) -> bool:
    return place == 0 and len(sentence) > 1 and sentence[1].is_name


# Where clauses begin.


def _pieces(sentence: Tokens) -> list[tuple[Tokens, bool]]:
    """The pieces of a sentence, and whether each is a statement of its own."""
    pieces: list[tuple[Tokens, bool]] = []
    start, is_own = 0, True
    for place in range(1, len(sentence)):
        opening = _opening(sentence, start, place)
        if opening is not None:
            pieces.append((sentence[start:place], is_own))
            start, is_own = place + (sentence[place].key in _COORDINATING), opening
    pieces.append((sentence[start:], is_own))
    return _with_leads(pieces)


def _opening(sentence: Tokens, start: int, place: int) -> bool | None:
    """Whether the clause that begins here stands alone; None where none begins."""
    if place <= start or place + 1 >= len(sentence):
        return None
    token, before, after = sentence[place], sentence[place - 1], sentence[place + 1 :]
    if token.key in _COORDINATING:
        if before.pauses or _begins(after, sentence[start:place]):
            return True
        return None
    if token.key in _SUBORDINATING:
        if token.key in ("which", "who") and not before.pauses:
            return None
        if token.key in ("since", "as") and not _has_own_subject(after):
            return None
        return False
    return False if before.pauses and _begins_after_a_comma(sentence, start, place) else None


def _begins_after_a_comma(sentence: Tokens, start: int, place: int) -> bool:
    """A name may have commas too: `Acme, Inc. is in Bonn`."""
    if sentence[place].key in _PRONOUNS or _is_lead(sentence[start]):
        return True
    rest = sentence[place:]
    end = next((spot for spot, token in enumerate(rest) if token.pauses), len(rest))
    has_verb = any(is_verb(token) or token.key.endswith("ed") for token in sentence[start:place])
    return has_verb and (any(map(is_verb, rest[: end + 1])) or rest[0].key in DENIALS)


def _is_lead(token: Token) -> bool:
    return token.key in _LEADING


def _begins(after: Tokens, before: Tokens) -> bool:
    """Whether a clause begins after `and`."""
    if after[0].key in _PRONOUNS:
        return True
    has_verb = any(is_verb(token) or token.key.endswith("ed") for token in before)
    return has_verb and (is_verb(after[0]) or _has_own_subject(after))


def _has_own_subject(tokens: Tokens) -> bool:
    for place, token in enumerate(tokens[:_FAR]):
        if is_verb(token) and place > 0:
            return True
        if token.pauses:
            return False
    return False


def _with_leads(pieces: list[tuple[Tokens, bool]]) -> list[tuple[Tokens, bool]]:
    """A leading `In staging,` belongs to what follows it."""
    first = pieces[0][0]
    if len(pieces) > 1 and first and _is_lead(first[0]) and not any(map(is_verb, first)):
        return [((*pieces[1][0], *first), True), *pieces[2:]]
    return [piece for piece in pieces if piece[0]]


# What kind of news a clause is.


def _marked(piece: Tokens) -> tuple[set[Mark], list[Token]]:
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
        return key not in HEDGES and key not in CLOSED and key not in _MODALS
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
    return len(key) > 4 and key.endswith("ed") and kept[place - 1].key not in _BEFORE_NOUNS


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


# The parts of a clause.


def _parts(tokens: Tokens) -> Parts | None:
    place = _verb(tokens)
    if place is None:
        return None
    verb, after, is_passive = tokens[place].key, place + 1, False
    following = tokens[after].key if after < len(tokens) else ""
    if verb in _BEING and _is_participle(tokens, after):
        verb, after, is_passive = _present(following), after + 1, True
    elif (verb in _BEING and _is_going_on(tokens, after)) or (
        verb == "have" and following in HOLDING
    ):
        verb, after = following.removesuffix("ing"), after + 1
    link = tokens[after].key if after < len(tokens) and tokens[after].key in LINKS else ""
    known = verb if verb in VERBS else canonical(verb)
    return Parts(tokens[:place], known, is_passive, link, tokens[after + bool(link) :])


def _is_participle(tokens: Tokens, place: int) -> bool:
    if place >= len(tokens):
        return False
    form = tokens[place].form
    if form in PARTICIPLES:
        return True
    describes = form in ADJECTIVES or form in DOMAINS
    return form.endswith("ed") and len(form) > _SHORT and not describes


def _is_going_on(tokens: Tokens, place: int) -> bool:
    """Whether `is` is followed by `using`."""
    if place >= len(tokens) or not tokens[place].form.endswith("ing"):
        return False
    stem = tokens[place].form.removesuffix("ing")
    return tokens[place].key in HOLDING or stem in HOLDING or f"{stem}e" in HOLDING


def _present(key: str) -> str:
    return _PRESENT.get(key) or LEMMAS.get(key, key)


def _verb(tokens: Tokens) -> int | None:
    """Where the verb is: the first word that can be one and is no noun here."""
    for place, token in enumerate(tokens):
        if is_verb(token) and not is_noun(tokens, place):
            return place
    places = range(1, len(tokens))
    return next((place for place in places if _looks_like_a_verb(tokens, place)), None)


def _is_told(tokens: Tokens, place: int) -> bool:
    """Whether a verb is one here: in its past form, or where only a verb can stand."""
    token = tokens[place]
    if is_noun(tokens, place):
        return False
    if token.form != token.key or token.form in PARTICIPLES:
        return True
    before = tokens[place - 1].key if place else ""
    return not before or before in _PRONOUNS or before in _MODALS or before in ("to", "and")


def is_noun(tokens: Tokens, place: int) -> bool:
    """Whether a word that could be a verb is a noun here, as in `database changes are`."""
    key = tokens[place].key
    if key in ("be", "have"):
        return False
    if place and tokens[place - 1].key in _BEFORE_NOUNS:
        return True
    if place == 0 and key in CHANGING and tokens[place].form.endswith("ing"):
        return True
    later = [token.key for token in tokens[place + 1 : place + 4]]
    if later and later[0] in NEWS and tokens[place + 1].form in PARTICIPLES:
        return key not in NEWS or key in CHANGING
    if later and key in CHANGING and later[0] in VERBS:
        return True
    if place == 0 and len(tokens) > 2 and _looks_like_a_verb(tokens, 1):
        return True
    if later and later[0] in ("be", "have", "was", "were"):
        return True
    is_plain = key not in CHANGING or tokens[place].form == key
    is_early = place < 3 and is_plain and tokens[0].key not in _PRONOUNS
    return is_early and not {"be", "have"}.isdisjoint(later)


def _looks_like_a_verb(tokens: Tokens, place: int) -> bool:
    """Whether an unknown word is a verb by its place: after `we`, or `-s` before a value."""
    token, before = tokens[place], tokens[place - 1]
    if token.is_name or token.figure is not None or token.key in FUNCTION:
        return False
    if before.key in _PRONOUNS or before.key in _MODALS:
        return True
    form = token.form
    is_third_person = form.endswith("s") and not form.endswith(("ss", "us", "is"))
    if place + 1 >= len(tokens) or not is_third_person:
        return False
    after = tokens[place + 1]
    return after.figure is not None or after.is_name or after.key in _AFTER_VERBS
