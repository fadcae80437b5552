"""Where sentences end, in English, German, French, Spanish and scripts with their own full stops.

People write to agents without capitals, so a small letter may begin a sentence. A line break, a
smiley and an emoji end one as well. The time that this takes is linear in the length of the text.
"""

import re
from collections.abc import Iterator

_END = re.compile(
    r"(?P<marks>[.…]{1,9}|[!?][!?.]{0,9})(?P<closing>[\"”»'’)\]*]{0,2})(?=\s)|[。！？؟।]|\n+"
    r"|(?<= )(?:[:;]-?[)(DP]|[\U0001F300-\U0001FAFF\u2600-\u27bf]+)(?= )"
)
_ABBREVIATIONS = frozenset(
    (
        "mr", "mrs", "ms", "dr", "prof", "st", "gen", "inc", "ltd", "co", "corp", "jr",
        "sr", "vs", "etc", "incl", "excl", "approx", "ca", "max", "min", "dept", "ext",
        "est", "fig", "tel", "resp", "eg", "ie", "cf", "nr", "bzw", "ggf", "evtl", "usw",
        "inkl", "str", "fa", "mme", "mlle", "av", "sra", "srta", "ud", "uds", "pág",
        "aprox", "ee", "uu", "jan", "feb", "mar", "apr", "aug", "sep", "sept", "oct", "nov",
        "dec", "mon", "tue", "wed", "thu", "fri",
    )
)  # fmt: skip
_BEFORE_NUMBERS = frozenset({"no"})
"""Words that are abbreviations only before a number."""
_TWO_PART = re.compile(r"\bp\.? ?ex\.$", re.IGNORECASE)
_ORDINAL = re.compile(
    r"\s(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|geburtstag|klasse|stock|lebensjahr"
    r"|semester|woche|bis\b|und\b|oder\b|etage)",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?:am|vom|zum|den|bis) \d{1,2}\.$", re.IGNORECASE)
_OPENING = "\"'“„«(/["
_CLOSING = "\"”»'’)]"
_FINAL = tuple(".!?…。！？؟।")
_LONGEST_ABBREVIATION = 12


def find_sentence_ends(text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yield where each sentence between two places ends, the last one excepted.

    White space after an end belongs to the next sentence.
    """
    last = len(text) if end is None else end
    for found in _END.finditer(text, start, last):
        if not _goes_on(text, start, found):
            start = found.end()
            yield found.start() if found[0][0] == "\n" else start


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences, without white space around them."""
    ends = [*find_sentence_ends(text), len(text)]
    starts = [0, *ends]
    pieces = (text[start:end].strip() for start, end in zip(starts, ends, strict=False))
    return [piece for piece in pieces if piece]


def ends_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return text.rstrip().rstrip(_CLOSING).endswith(_FINAL)


def is_question(sentence: str) -> bool:
    """Whether a sentence ends with a question mark."""
    return sentence.rstrip(f"{_CLOSING}*! ").endswith(("?", "？", "؟"))


def _goes_on(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether the sentence goes on: after an abbreviation, an ordinal or a quotation."""
    if found["marks"] is None:
        return False
    if found[0] == ".":
        return _is_abbreviation(text, start, found.end()) or _is_ordinal(text, found.end())
    is_quoted = found["closing"].startswith(tuple(_CLOSING))
    return is_quoted and text[found.end() + 1 : found.end() + 2].islower()


def _is_abbreviation(text: str, start: int, end: int) -> bool:
    """Whether the full stop before `end` is that of an abbreviation or an initial."""
    before = text[max(start, end - _LONGEST_ABBREVIATION) : end]
    word = before.split()[-1].lstrip(_OPENING)[:-1].casefold()
    last = word.rpartition(".")[2]
    if len(last) == 1:
        return last.isalpha()
    if word in _BEFORE_NUMBERS:
        return text[end + 1 : end + 2].isdigit()
    return word in _ABBREVIATIONS or word.endswith("str") or bool(_TWO_PART.search(before))


def _is_ordinal(text: str, end: int) -> bool:
    """Whether a full stop makes a number an ordinal, as in German dates."""
    if not text[end - 2 : end - 1].isdigit():
        return False
    is_day = _DAY.search(text, max(0, end - 8), end) is not None
    return _ORDINAL.match(text, end) is not None or (is_day and text[end + 1 : end + 2].islower())
