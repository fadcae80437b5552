"""Turn a text into the terms it is found by: words, stems, languages and term codes.

Every backend uses the same analysis. Text is normalised and case-folded, words are stemmed in the
language that their stop words point to, and scripts without spaces are cut into bigrams. An index
stores terms as numbers. `WordMatcher` finds whole words and phrases in texts, whatever their case
and punctuation.
"""

import re
import sys
import threading
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Self

import Stemmer

# Words.


# Letters and digits, and the vowel signs and marks that stand between letters.
_WORD = re.compile("(?:[^\\W_]|[\u0300-\u036f\u0900-\u0e7f])+")
_UNSPACED = re.compile(
    "(["
    "\u0e00-\u0e7f"  # Thai
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "]+)"
)


@dataclass(frozen=True, slots=True)
class WordRun:
    """A run of letters and digits in one kind of script."""

    text: str
    is_unspaced: bool = False


def split_words(text: str) -> list[WordRun]:
    """Split a text that was normalised and case-folded into words."""
    words: list[WordRun] = []
    for run in _WORD.findall(text):
        if run.isascii():
            words.append(WordRun(run))
        else:
            parts = _UNSPACED.split(run)
            words += [WordRun(part, bool(place % 2)) for place, part in enumerate(parts) if part]
    return words


def find_words(text: str) -> list[tuple[int, str]]:
    """The words of a text, as they are written, and where each begins."""
    return [(match.start(), match[0]) for match in _WORD.finditer(text)]


# Stems.


LATIN_LANGUAGES = ("english", "german", "french", "spanish")
CYRILLIC_LANGUAGE = "russian"

_MAX_STEM_LENGTH = 64
_IS_CYRILLIC = re.compile("[\u0400-\u04ff]")


@lru_cache(maxsize=65_536)
def stem_word(word: str, language: str) -> str:
    """Stem a word of a text in this language; Cyrillic words are stemmed as Russian in any text."""
    chosen = CYRILLIC_LANGUAGE if _IS_CYRILLIC.search(word) else language
    found: str = _stemmers.by_language[chosen].stemWord(word)
    return found[:_MAX_STEM_LENGTH]


@lru_cache(maxsize=16_384)
def stem_in_all_languages(word: str) -> tuple[str, ...]:
    """Stem a word in every language, without repeats."""
    return tuple(dict.fromkeys(stem_word(word, language) for language in LATIN_LANGUAGES))


class _Stemmers(threading.local):
    """Snowball stemmers keep state while they work, so every thread has its own."""

    def __init__(self) -> None:
        self.by_language = {
            name: Stemmer.Stemmer(name) for name in (*LATIN_LANGUAGES, CYRILLIC_LANGUAGE)
        }


_stemmers = _Stemmers()


# Languages, guessed by their stop words.


DEFAULT_LANGUAGE = "english"

_SMALL_WORDS = {
    "english": """
        a about after all also an and any are as at be because been but by can could did do
        does for from had has have he her here him his how i if in into is it its just me
        more my no not now of on only or other our out over she should so some than that the
        their them then there these they this to up was we were what when where which who
        why will with would you your
    """,
    "german": """
        aber als am an auch auf aus bei bin bis bist da das dass dein dem den der des die
        dir doch du durch ein eine einem einen einer er es euch für gegen habe haben hat
        hier ich ihr im in ist ja kann kein keine man mein mich mir mit nach nicht noch nur
        ob oder ohne schon sein sich sie sind so über um und uns unser unter vom von vor war
        was wenn wer wie wir wird wo zu zum zur
    """,
    "french": """
        a à ai alors au aussi aux avec avait c ça car ce ces cette chez comme d dans de
        depuis des du elle elles en est et était eux fait il ils j je l la le les leur lui m
        ma mais me mes moi mon n ne nos notre nous on ont ou où par pas plus pour qu quand
        que qui quoi s sa sans se ses si son sont sur t ta te tes toi ton tous tout tu un
        une vos votre vous y
    """,
    "spanish": """
        a al algo ante antes así aunque cada como con cual cuando de del desde donde dos el
        él ella ellas ellos en entre era es esa ese eso esta está estaba este esto están fue
        ha hace hasta hay la las le les lo los más me mi mis muy nada ni no nos nosotros
        nuestra nuestro o otra otro para pero por porque que qué quien se ser si sí sin
        sobre son su sus también te tengo ti tiene todo tu tus un una uno y ya yo
    """,
    "russian": """
        а без был была были было быть в вам вас во вот все всё вы где да для до его ее её
        если есть еще ещё же за и из или им их к как когда кто ли меня мне мой моя мы на над
        нас наш не нет ни но о об он она они от по под при с со так там то только у уже что
        чтобы это этот я
    """,
}

_BY_LANGUAGE = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}

ENGLISH_WORDS = _BY_LANGUAGE["english"]

STOP_WORDS = frozenset().union(*_BY_LANGUAGE.values())

_MIN_VOTES = 2
"""How many stop words of another language a text must have to count as that language."""


def guess_language(words: Iterable[str]) -> str:
    """Guess the language that most stop words belong to; English if there are too few."""
    listed = list(words)
    votes = {name: sum(word in small for word in listed) for name, small in _BY_LANGUAGE.items()}
    votes[DEFAULT_LANGUAGE] = max(votes[DEFAULT_LANGUAGE], _MIN_VOTES - 1)
    return max(votes, key=lambda name: (votes[name], name == DEFAULT_LANGUAGE))


# Terms.


ANALYSIS_VERSION = 4
"""Raised whenever the terms of a memory change; a store then recomputes its terms."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a query, with the stems under which texts of any language may hold it.

    `weight` is below 1 for words that come from the conversation and not from the message itself.
    """

    alternatives: tuple[str, ...]
    is_stop_word: bool
    weight: float = 1.0


def extract_terms(text: str) -> list[str]:
    """Extract the terms by which a text is found."""
    words = split_words(_fold_text(text))
    language = guess_language(word.text for word in words)
    return [term for word in words for term in _word_terms(word, language)]


def extract_query_terms(text: str) -> list[QueryTerm]:
    """Extract the distinct terms of a query, in order, each word stemmed in every language.

    A query is too short to guess its language, and it must find texts of any language.
    """
    found: dict[tuple[str, ...], QueryTerm] = {}
    for word in {word.text: word for word in split_words(_fold_text(text))}.values():
        if word.is_unspaced:
            for bigram in _bigrams(word.text):
                found.setdefault((bigram,), QueryTerm((bigram,), False))
        else:
            alternatives = stem_in_all_languages(word.text)
            found.setdefault(alternatives, QueryTerm(alternatives, word.text in STOP_WORDS))
    return list(found.values())


def _fold_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _word_terms(word: WordRun, language: str) -> Iterator[str]:
    if word.is_unspaced:
        yield from _bigrams(word.text)
    else:
        yield stem_word(word.text, language)


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for position in range(len(run) - 1):
        yield run[position : position + 2]


# Term codes: an index stores numbers, because words of an erased text must not outlive it.


@lru_cache(maxsize=262_144)
def term_code(term: str) -> int:
    """Hash a term to 64 bits, the same on every machine; collisions do not occur in practice."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")


def signed_term_code(term: str) -> int:
    """Hash a term to a signed 64-bit number, for databases that have no unsigned ones."""
    number = term_code(term)
    return number - (1 << 64) if number >= 1 << 63 else number


def pack_term_codes(terms: Iterable[str]) -> bytes:
    """Pack the codes of terms, in order, as little-endian 64-bit numbers."""
    numbers = array("Q", map(term_code, terms))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


# Matching words and phrases.


_PLAIN_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class WordMatcher:
    """Finds texts that contain the words of other texts; without any words it finds none.

    Words match if they follow each other as whole words: "tea" does not match "team". Scripts
    without spaces do not show where words end, so a part of a run matches. Where a text has no
    letters or digits, its punctuation is looked for between spaces.
    """

    phrases: Mapping[str, tuple[str, ...]]
    """Phrases by one of their words, so that few are looked for; "" for those without one."""
    signs: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Build a matcher for the words of these texts."""
        phrases: dict[str, dict[str, None]] = {}
        signs = set()
        for text in texts:
            if words := split_words(_fold_text(text)):
                phrases.setdefault(_longest_word(words), {})[_to_phrase(words)] = None
            elif text.strip():
                signs.add(_collapse_spaces(text))
        return cls({word: tuple(each) for word, each in phrases.items()}, frozenset(signs))

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.phrases or self.signs)

    def match_any(self, texts: Iterable[str]) -> bool:
        """Whether any of these texts contains the words that are looked for."""
        return bool(self) and any(map(self._matches, texts))

    def _matches(self, text: str) -> bool:
        words = _fold_words(_fold_text(text))
        joined = f" {' '.join(words)} "
        told = self.phrases.keys() & {"", *words}
        if any(phrase in joined for word in told for phrase in self.phrases[word]):
            return True
        spaced = _collapse_spaces(text) if self.signs else ""
        return any(sign in spaced for sign in self.signs)


def _fold_words(folded: str) -> list[str]:
    if folded.isascii():
        return _PLAIN_WORD.findall(folded)
    return [word.text for word in split_words(folded)]


def _to_phrase(words: list[WordRun]) -> str:
    """Join words as they are looked for, with a space at an end where a word must end."""
    before = "" if words[0].is_unspaced else " "
    after = "" if words[-1].is_unspaced else " "
    return f"{before}{' '.join(word.text for word in words)}{after}"


def _longest_word(words: list[WordRun]) -> str:
    """Return the longest word that always occurs as a whole."""
    return max((word.text for word in words if not word.is_unspaced), key=len, default="")


def _collapse_spaces(text: str) -> str:
    return f" {' '.join(text.split())} "
