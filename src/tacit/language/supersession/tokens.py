"""Tokenize a text: figures, names and phrases become one token each, in English."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacit.language.statements.vocabulary import COMMON_WORDS
from tacit.language.statements.words import (
    Word,
    find_figures,
    normalize_text,
    parse_sentences,
    split_speaker,
)
from tacit.language.supersession.figures import Figure, find_figure_at, mark_addresses
from tacit.language.supersession.glossary import PARTICLE_VERBS, PHRASES, translate_words
from tacit.language.supersession.lexicon import (
    ALSO_WORDS,
    CONDITIONS,
    DENIALS,
    FORMER_WORDS,
    FUNCTION_WORDS,
    HEDGES,
    LEMMAS,
    NOW_WORDS,
    PAST_FORMS,
    SYNONYMS,
)
from tacit.language.supersession.products import (
    AMBIGUOUS_PRODUCTS,
    LONG_PRODUCT_NAMES,
    PRODUCT_KINDS,
)
from tacit.language.terms import stem_word

_MAX_SENTENCES = 8
_MAX_WORDS = 60
_GAPS = re.compile(r"\s{2,}")
_PAUSES = re.compile(r"\s+[-–—]+\s+|\s*[()]\s*|\s*—\s*|…|\.\.\.")
_LABEL = re.compile(r"([^\W\d_][^:,.!?;\d]{1,40}):\s+(?=\S)")
_LEAD_INS = frozenset(
    ("note", "fyi", "btw", "update", "correction", "decision", "reminder", "todo", "news", "ps")
)
_ANSWERS = frozenset(("yes", "no", "ok", "step"))
_SHORT = 6
_BEFORE_ACRONYMS = frozenset(("our", "my", "the", "user"))
_GOLANG = Word("Golang", "golang", False, False, True)
_SMALL = (
    COMMON_WORDS
    | FUNCTION_WORDS
    | NOW_WORDS
    | ALSO_WORDS
    | HEDGES
    | CONDITIONS
    | FORMER_WORDS
    | DENIALS
)
_DOUBTS = HEDGES | CONDITIONS
_FAR = 6


class Token(NamedTuple):
    """One token: the grammar uses `key`, comparison uses `stem`."""

    key: str
    stem: str
    is_name: bool = False
    figure: Figure | None = None
    has_pause: bool = False
    """Whether a comma follows."""
    form: str = ""
    """The word itself; empty for figures."""


Tokens = tuple[Token, ...]


class TokenizedText(NamedTuple):
    """A text as tokens."""

    speaker: str
    is_foreign: bool
    """Whether it has words of another language."""
    sentences: tuple[Tokens, ...]
    """Without questions."""


def tokenize(text: str) -> TokenizedText:
    """Tokenize a text."""
    plain = _expand_label(_PAUSES.sub(", ", _GAPS.sub(_collapse_gap, normalize_text(text))))
    speaker, said = split_speaker(plain)
    found = parse_sentences(find_figures(mark_addresses(said)).text)[:_MAX_SENTENCES]
    asked = [sentence.words[:_MAX_WORDS] for sentence in found if not sentence.is_question]
    english = [translate_words(words) for words in asked]
    is_foreign = any(one != list(other) for one, other in zip(english, asked, strict=True))
    return TokenizedText(speaker, is_foreign, tuple(_build_tokens(words) for words in english))


def _collapse_gap(found: re.Match[str]) -> str:
    """Collapse white space to one space, or to one line end."""
    return "\n" if "\n" in found[0] else " "


def to_canonical(folded: str) -> str:
    """Return the form in which a word is compared."""
    plain = folded.removesuffix("-off")
    if "-" in folded and not any(character.isdigit() for character in folded):
        plain = plain.replace("-", "")
    plain = SYNONYMS.get(plain, plain)
    if "_" in plain:
        return plain
    found = stem_word(plain, "english")
    return SYNONYMS.get(found, found)


def _expand_label(text: str) -> str:
    """Turn `Timeout: 30 s` into a sentence."""
    found = _LABEL.match(text)
    if found is None:
        return text
    label, rest = found[1], text[found.end() :]
    if label.casefold() in _LEAD_INS:
        return rest
    is_value = len(rest.split()) <= _SHORT and (label.islower() or any(map(str.isdigit, rest)))
    return f"{label} is {rest}" if is_value and label.casefold() not in _ANSWERS else text


def _build_tokens(words: Sequence[Word]) -> Tokens:
    joined = _join_particles(list(_join_phrases(list(_join_names(words)))))
    listed: list[Token] = []
    place = 0
    while place < len(joined):
        found = find_figure_at(joined, place)
        if found is None:
            listed.append(_build_token(joined, place))
            place += 1
        else:
            noun = to_canonical(found.noun) if found.noun else ""
            pauses = joined[place + found.size - 1].has_pause
            listed.append(Token("#", noun, False, found.figure, pauses))
            place += found.size
    return tuple(listed)


def _join_names(words: Sequence[Word]) -> Iterator[Word]:
    """Join names of several words."""
    place = 0
    while place < len(words):
        for name in LONG_PRODUCT_NAMES.get(words[place].folded, ()):
            part = words[place : place + len(name)]
            if tuple(word.folded for word in part) == name:
                joined = "_".join(name)
                yield Word(joined, joined, part[-1].is_possessive, part[-1].has_pause, True)
                place += len(name)
                break
        else:
            word = words[place]
            is_go = place > 0 and word.text == "Go"
            yield _GOLANG._replace(has_pause=word.has_pause) if is_go else word
            place += 1


def _join_particles(words: list[Word]) -> list[Word]:
    """Turn `gave the piano away` into `sell the piano`."""
    for place, word in enumerate(words):
        verb = LEMMAS.get(word.folded, word.folded)
        for (first, particle), meaning in PARTICLE_VERBS.items():
            if first == verb:
                later = [each.folded for each in words[place + 2 : place + _FAR]]
                if particle in later:
                    found = place + 2 + later.index(particle)
                    changed = Word(meaning, meaning, False, word.has_pause, False)
                    return [*words[:place], changed, *words[place + 1 : found], *words[found + 1 :]]
    return words


_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _phrase in sorted(PHRASES, key=len, reverse=True):
    _BY_FIRST.setdefault(_phrase[0], []).append(_phrase)


def _join_phrases(words: list[Word]) -> Iterator[Word]:
    place = 0
    while place < len(words):
        phrase = _phrase_at(words, place)
        if phrase is None:
            yield words[place]
            place += 1
            continue
        place += len(phrase)
        for part in PHRASES[phrase]:
            yield Word(part, part, False, words[place - 1].has_pause, False)


def _phrase_at(words: list[Word], place: int) -> tuple[str, ...] | None:
    for phrase in _BY_FIRST.get(words[place].folded, ()):
        part = words[place : place + len(phrase)]
        if tuple(word.folded for word in part) == phrase and not any(
            word.has_pause for word in part[:-1]
        ):
            return phrase
    return None


def _build_token(words: Sequence[Word], place: int) -> Token:
    word = words[place]
    folded = word.folded
    is_name = _is_name(words, place)
    if folded in LEMMAS and not (is_name and place):
        key = folded if folded in PAST_FORMS else LEMMAS[folded]
        return Token(key, to_canonical(LEMMAS[folded]), False, None, word.has_pause, folded)
    if folded.replace("-", "_") in PRODUCT_KINDS:
        folded = folded.replace("-", "_")
    is_name = is_name or (folded in PRODUCT_KINDS and folded not in AMBIGUOUS_PRODUCTS)
    key = folded.capitalize() if is_name else folded
    plain = f"_{folded}" if is_name and folded in FUNCTION_WORDS else to_canonical(folded)
    return Token(key, plain, is_name, None, word.has_pause, folded)


def _is_label(words: Sequence[Word], place: int) -> bool:
    """Whether a function word is a name by its capitals: `the US cluster`, `team A`."""
    word = words[place]
    if word.folded not in FUNCTION_WORDS or word.folded in ("i", "not", "no", "never"):
        return False
    return not all(each.text.isupper() for each in words if each.folded.isalpha())


def _is_name(words: Sequence[Word], place: int) -> bool:
    """Whether a word is written as a name; the first of a sentence only if it is the subject."""
    word = words[place]
    if not word.has_capital:
        return False
    if place and word.text.isupper() and _is_label(words, place):
        return True
    if word.folded in _SMALL:
        is_title = place > 0 or (len(words) > 1 and words[1].has_capital)
        return is_title and word.folded in _DOUBTS
    if place and word.text.isupper() and words[place - 1].folded in _BEFORE_ACRONYMS:
        return word.folded in PRODUCT_KINDS
    if place or word.text[1:] != word.folded[1:] or word.is_possessive:
        return True
    after = words[1] if len(words) > 1 else None
    return after is not None and (after.has_capital or after.folded in LEMMAS)
