"""Find the words that restore a wallet where they stand in a list: numbered, or in lines."""

import re
from collections.abc import Iterator

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


def find_seed_phrases(text: str, lowered: str) -> Iterator[SecretSpan]:
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
