"""Find the words that restore a wallet where they stand in a list: numbered, or in lines.

Below a name for such words any list counts. Without one, as many numbered words as a wallet has do,
if each is such a word by its form and nothing stands beside it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from tacit.language.redaction.values import SecretSpan

_KIND = "passphrase"
_FEWEST, _MOST = 12, 48
_AHEAD = 200
"""How far from its name a list may begin."""

_HINTS = (
    "seed",
    "mnemo",
    "mnémo",
    "recovery",
    "wallet",
    "bip",
    "wiederherst",
    "récup",
    "semilla",
    "recuper",
)
"""Every name contains one of these."""

_NAME = re.compile(
    r"""
    \b(?:
      (?:seed|recovery|wallet|mnemonic|bip[ -]?39)[\s_-]{0,3}(?:seed[\s_-]{0,3})?
      (?:phrases?|words?|wörter|mnemonic)
    | (?:backup|secret)[\s_-]{1,3}phrase | mnemonics? | bip[ -]?39
    | (?:wallet|ledger|trezor|metamask|bitcoin|crypto)(?:['’]?s)?[\s-]seed
    | seed\s(?:of|for|from|to|von|für|de|del)\s(?:\w{2,5}\s)?(?:wallet|ledger|trezor|metamask)
    | (?:wiederherstellungs|seed|mnemonik)[\s-]?(?:phrase|wörter|worte|satz)
    | (?:phrase|mots)\s(?:de\s(?:récupération|secours)|mnémoniques?|secrète|graine)
    | (?:frase|palabras)\s(?:semilla|de\srecuperación|mnemotécnicas?|mnemónicas?|secretas?)
    )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_COUNTER = (
    r"(?:(?:(?:word|wort|mot|palabra)[ \t]{0,2})?\#?\d{1,2}[ \t]{0,2}[.):=\]|-]?[ \t]{0,3}"
    r"|[-*•·>][ \t]{1,3}|\[[ x]?\][ \t]{1,3})"
)
_WORD = r"[\"'`*_(\[|]{0,3}[^\W\d_]{3,12}[\"'`*_)\]]{0,3}[ \t]{0,3}"
_COUNTED = rf"{_COUNTER}{_WORD}[,;|]?\s{{1,6}}"
_IN_LINES = rf"{_WORD}(?:[,;|][ \t]{{0,3}}\n?|\r?\n)[ \t]{{0,8}}"
_REPEATED = f"{{{_FEWEST - 1},{_MOST}}}"
_START = re.compile(r"(?<!\w)\S")
_LIST = re.compile(
    rf"(?:(?:{_COUNTED}){_REPEATED}{_COUNTER}|(?:{_IN_LINES}){_REPEATED})[\"'`*_(\[|]{{0,3}}"
    r"[^\W\d_]{3,12}(?!\w)",
    re.IGNORECASE,
)

_LENGTHS = frozenset({12, 15, 18, 21, 24})
"""So many words restore a wallet."""
_NUMBERED = re.compile(
    r"(?<![\w.,:/-])\#?0?(\d{1,2})[ \t]{0,2}[.):]?[ \t]{1,3}([a-z]{3,8})(?![\w'’-])[ \t]{0,3}[,;]?"
)
_NEXT = re.compile(r"[ \t]{0,3}(?:\r?\n){0,2}[ \t]{0,8}")
_END = re.compile(r"[ \t]{0,3}(?:[.!?)\]]|\r?\n|\Z)")
_THINGS = re.compile(r"[^isu]s$")
_ENDING_IN_S = frozenset(
    (
        "always", "atlas", "canvas", "chaos", "gas", "jeans", "news", "perhaps", "scissors",
        "series", "species", "towards",
    )
)  # fmt: skip
_FEWEST_THINGS = 2
"""With so many plurals a list is one of things to buy or to do: a wallet has hardly any."""


def find_seed_phrases(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find lists of a dozen words or more below a name for such words, and bare numbered ones."""
    named = list(_find_named_lists(text, lowered))
    yield from named
    ends = [each.end for each in named]
    for bare in _find_bare_lists(text):
        place = bisect_right(ends, bare.start)
        if place == len(named) or bare.end <= named[place].start:
            yield bare


def _find_named_lists(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find lists of a dozen single words or more that follow a name for such words."""
    if not any(map(lowered.__contains__, _HINTS)):
        return
    tried = 0
    for name in _NAME.finditer(text):
        until = name.end() + _AHEAD
        starts = _START.finditer(text, max(name.end(), tried), until)
        found = next(filter(None, (_LIST.match(text, at.start()) for at in starts)), None)
        tried = max(until, found.end() if found else 0)
        if found is not None:
            yield SecretSpan(found.start(), found.end(), _KIND, name.start())


def _find_bare_lists(text: str) -> Iterator[SecretSpan]:
    """Find as many numbered words as a wallet has, whatever is said before and after them."""
    end = 0
    for first in _NUMBERED.finditer(text):
        if int(first[1]) == 1 and first.start() >= end:
            words, end = _read_numbered(text, first)
            if len(words) in _LENGTHS and _END.match(text, end) and not _names_things(words):
                yield SecretSpan(first.start(), end, _KIND, first.start())


def _read_numbered(text: str, first: re.Match[str]) -> tuple[list[str], int]:
    """The words that are numbered in order from here on, and where the last one ends."""
    words: list[str] = []
    found: re.Match[str] | None = first
    end = first.end()
    while found is not None and int(found[1]) == len(words) + 1:
        words.append(found[2])
        end = found.end(2)
        gap = _NEXT.match(text, found.end())
        found = _NUMBERED.match(text, gap.end() if gap else found.end())
    return words, end


def _names_things(words: Sequence[str]) -> bool:
    plurals = [each for each in words if _THINGS.search(each) and each not in _ENDING_IN_S]
    return len(plurals) >= _FEWEST_THINGS
