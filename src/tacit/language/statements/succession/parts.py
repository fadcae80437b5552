"""The parts of a clause: its subject, its verb, and what the verb says of it."""

from dataclasses import dataclass

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.domains import DOMAINS
from tacit.language.statements.succession.lexicon import FUNCTION
from tacit.language.statements.succession.verbs import (
    CHANGING,
    HOLDING,
    LEMMAS,
    NEWS,
    PARTICIPLES,
    VERBS,
)
from tacit.language.statements.succession.wording import Token, Tokens, canonical
from tacit.language.statements.verbs import ADJECTIVES

LINKS = word_set("in at on under with for by to of from as into onto via behind")
"""Prepositions that tie a value to its verb."""

BEFORE_NOUNS = word_set("""
    a an the my our your his her its their this that of for in on at with no every each all any new
    """)
"""Words after which no verb stands."""

PRONOUNS = word_set("i we you he she it they that there user")
MODALS = word_set("must may can will should shall")

_AFTER_VERBS = LINKS | word_set("the a within after before until till every about over between")
_BEING = word_set("be was were get")
_SHORT = 4
_PRESENT = {
    "made": "make", "done": "do", "given": "give", "taught": "teach", "drawn": "draw",
    "shown": "show", "seen": "see",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parts:
    """A clause around its verb."""

    subject: Tokens
    verb: str
    is_passive: bool
    link: str
    """The preposition that follows the verb."""
    rest: Tokens


def is_verb(token: Token) -> bool:
    """Whether a word may be a verb."""
    return token.key in VERBS


def parts_of(tokens: Tokens) -> Parts | None:
    """The parts of a clause; None without a verb."""
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


def is_told(tokens: Tokens, place: int) -> bool:
    """Whether a verb is one here: in its past form, or where only a verb can stand."""
    token = tokens[place]
    if is_noun(tokens, place):
        return False
    if token.form != token.key or token.form in PARTICIPLES:
        return True
    before = tokens[place - 1].key if place else ""
    return not before or before in PRONOUNS or before in MODALS or before in ("to", "and")


def is_noun(tokens: Tokens, place: int) -> bool:
    """Whether a word that could be a verb is a noun here, as in `database changes are`."""
    key = tokens[place].key
    if key in ("be", "have"):
        return False
    if place and tokens[place - 1].key in BEFORE_NOUNS:
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
    is_early = place < 3 and is_plain and tokens[0].key not in PRONOUNS
    return is_early and not {"be", "have"}.isdisjoint(later)


def _looks_like_a_verb(tokens: Tokens, place: int) -> bool:
    """Whether an unknown word is a verb by its place: after `we`, or `-s` before a value."""
    token, before = tokens[place], tokens[place - 1]
    if token.is_name or token.figure is not None or token.key in FUNCTION:
        return False
    if before.key in PRONOUNS or before.key in MODALS:
        return True
    form = token.form
    is_third_person = form.endswith("s") and not form.endswith(("ss", "us", "is"))
    if place + 1 >= len(tokens) or not is_third_person:
        return False
    after = tokens[place + 1]
    return after.figure is not None or after.is_name or after.key in _AFTER_VERBS
