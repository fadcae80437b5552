"""Where a value ends, what narrows it down, and whether it rules out others."""

from collections.abc import Sequence

from tacit.language.statements.figures import is_moment
from tacit.language.statements.names import is_capital
from tacit.language.statements.verbs import ADJECTIVAL_ENDINGS, ADJECTIVES, VAGUE
from tacit.language.statements.vocabulary import ARTICLES, BOUNDARIES, INDEFINITE, QUALIFIERS
from tacit.language.statements.words import Word, phrase_at

_MAX_WORDS = 12
_MONEY = "$€£¥"
_UNFIT = INDEFINITE | VAGUE

Words = Sequence[Word]


def cut(words: Words) -> tuple[Words, Words]:
    """The value that words begin with, and what says for what, where or when it holds."""
    end = next((place for place in range(1, len(words)) if _ends(words, place)), len(words))
    kept = words[:end]
    for place in range(1, len(kept)):
        if kept[place].folded in QUALIFIERS and not _is_inside_a_name(kept, place):
            return kept[:place], kept[place:]
    return kept, ()


def is_single(words: Words) -> bool:
    """Whether a value is short and definite enough to rule out another one."""
    if not 0 < len(words) <= _MAX_WORDS:
        return False
    first = words[0]
    return is_capital(first) or first.folded not in _UNFIT


def is_description(words: Words) -> bool:
    """Whether a value only describes, as an adjective or participle does."""
    first = words[0]
    if is_capital(first) or is_moment(first.folded):
        return False
    return first.folded in ADJECTIVES or first.folded.endswith(ADJECTIVAL_ENDINGS)


def is_concrete(words: Words) -> bool:
    """Whether a value is a name, a number or a date."""
    return is_capital(words[0]) or is_quantity(words)


def is_quantity(words: Words) -> bool:
    """Whether a value begins with a number or a date."""
    return bool(words) and is_moment(words[0].folded.lstrip(_MONEY))


def _ends(words: Words, place: int) -> bool:
    word = words[place]
    if is_capital(word):
        return False
    return word.folded in BOUNDARIES or phrase_at(words, place, ("as", "of"))


def _is_inside_a_name(words: Words, place: int) -> bool:
    after = [word for word in words[place + 1 : place + 3] if word.folded not in ARTICLES]
    return is_capital(words[place - 1]) and bool(after) and is_capital(after[0])
