"""Mask quoted words, so that the rules do not read them, without moving the other words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

MASK = "ꝏ"
"""Replaces each masked character: a letter, so that masked text reads as one word."""

_SPACES = re.compile(r"[^\S\n]+")
_EMPHASIS = re.compile(r"(?<!\S)(\*\*|__)(?=\S)([^*_\n]{1,300})\1")
_CURLY = str.maketrans({"’": "'", "‘": "'", "´": "'"})
_QUOTED = re.compile(
    r"`[^`\n]{1,300}`"
    r"|(?<![\w'])'[^'\n]{2,300}(?:'[^\W\d_][^'\n]{0,300}){0,4}'(?!\w)"
    r"|(?P<opening>(?<![\w\"])\"|[“„«‹「『〝❝])"
)
_CLOSINGS = {
    '"': '"',
    "“": "”",
    "„": '“”"',
    "«": "»",
    "‹": "›",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "❝": "❞",
}
_LONGEST = 4_000
"""The maximum length of a quotation."""
_PASSAGE = MASK * 40
_PASSAGES = re.compile(rf"{_PASSAGE}{MASK}*")
_LINE = re.compile(r"[^\n]+")
_NOT_CLOSED = re.compile(r"(?:(?<=[:,] )|(?<=^))[\"“„«][^\"”»\n]{12,}$", re.MULTILINE)
_HIDDEN = re.compile(r"[^\n]")
_TRIPLE = re.compile(r"\"{3}|(?<!\w)'{3}")
_TAG = re.compile(r"(?<![\w<])[<＜]\s?(/?)\s?([A-Za-z][\w:.-]{0,60})(?:\s[^<>＜＞]{0,300})?/?[>＞]")
_FORMAT_TAGS = frozenset(
    (
        "b", "i", "u", "s", "em", "strong", "br", "hr", "kbd", "code", "sup", "sub", "mark",
        "span", "a",
    )
)  # fmt: skip
_CITED = re.compile(
    r"(?<!\bI )(?<!\bwe )(?<!\bas I )\b(?:(?:wrote|said|says|told (?:me|us|him|her|them)|replied"
    r"|answered|posted|commented|reads|sent (?:me|us))(?: (?:\w+|<[^<>\n]{1,60}>)){0,3}"
    r"|schrieb|sagte?|meinte|antwortete|(?:a |m'a )(?:écrit|dit)|escribió|dijo|dice) ?[:：] (?=\S)"
    r"|\b(?:letter|e-?mail|message|text|note|reply|post) (?:\w+ ){0,4}?"
    r"(?:(?:that|which) (?:says|states|reads)|saying|stating) (?=\S)"
    r"|\b(?:his|her|their) (?:own |exact |very )?words(?: were| are)?[.:] (?=\S)"
    r"|\b(?:this|the|following|his|her|their|an?) (?:\w+ )?(?:article|e-?mail|letter|paragraph"
    r"|passage|excerpt|snippet|quote|readme|tweet|transcript|text)"
    r"(?: (?:from|by|of|on|in) [^:：\n.!?]{1,60})? ?[:：] (?=\S)",
    re.IGNORECASE,
)
"""What follows these words in a line is somebody else's."""


def tidy_spaces(text: str) -> str:
    """Collapse spaces and remove emphasis marks; the number of lines stays the same."""
    return _EMPHASIS.sub(r"\2", _SPACES.sub(" ", text))


def mask_quotes(text: str) -> str:
    """Mask quotations and straighten apostrophes; the length stays the same."""
    hidden = text.translate(_CURLY)
    for spans in (
        _find_elements,
        _find_triple_quoted,
        _find_quotations,
        _find_unclosed,
        _find_cited,
    ):
        hidden = _mask_spans(hidden, spans(hidden))
    return hidden


def has_masked_passage(hidden: str) -> bool:
    """Whether more than a name or a phrase is masked in one place."""
    return any(each in hidden for each in (_PASSAGE, f"<{MASK}", f"＜{MASK}"))


def remove_masked_passages(text: str, hidden: str) -> str:
    """Remove masked passages that are longer than a phrase."""
    pieces, start = [], 0
    for found in _PASSAGES.finditer(hidden):
        pieces.append(text[start : found.start()])
        start = found.end()
    return " ".join([*pieces, text[start:]])


def _mask_spans(text: str, quotations: Iterator[tuple[int, int]]) -> str:
    """Mask quotations except for their marks."""
    pieces: list[str] = []
    place = 0
    for start, end in quotations:
        pieces += (text[place : start + 1], _HIDDEN.sub(MASK, text[start + 1 : end - 1]))
        place = end - 1
    return "".join((*pieces, text[place:]))


def _find_elements(text: str) -> Iterator[tuple[int, int]]:
    """Find the outermost elements; one alone on its line and never closed goes on to the end."""
    opened: list[tuple[str, int, int]] = []
    counts: Counter[str] = Counter()
    spans: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        name = tag[2].casefold()
        if name in _FORMAT_TAGS or tag[0].endswith(("/>", "/＞")):
            continue
        if not tag[1]:
            opened.append((name, tag.start(), tag.end()))
            counts[name] += 1
        elif counts[name]:
            start = _pop_element(opened, counts, name)
            while spans and spans[-1][0] >= start:
                spans.pop()
            spans.append((start, tag.end()))
    alone = next((start for _, start, end in opened if _is_alone(text, start, end)), None)
    if alone is not None:
        spans = [*(span for span in spans if span[0] < alone), (alone, len(text) + 1)]
    yield from _drop_overlaps(spans)


def _pop_element(opened: list[tuple[str, int, int]], counts: Counter[str], name: str) -> int:
    """Return where the last element of this name began; elements opened inside it end too."""
    while True:
        other, start, _ = opened.pop()
        counts[other] -= 1
        if other == name:
            return start


def _drop_overlaps(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Drop overlapping spans from spans in order of their starts."""
    last = 0
    for start, end in spans:
        if start >= last:
            yield start, end
            last = end


def _is_alone(text: str, start: int, end: int) -> bool:
    before = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    return not text[before:start].strip() and after >= 0 and not text[end:after].strip()


def _find_triple_quoted(text: str) -> Iterator[tuple[int, int]]:
    """Find texts between triple quotation marks."""
    start: int | None = None
    mark = ""
    for found in _TRIPLE.finditer(text):
        if start is None:
            start, mark = found.start(), found[0]
        elif found[0] == mark:
            yield start, found.end()
            start = None
    if start is not None:
        yield start, len(text) + 1


def _find_cited(text: str) -> Iterator[tuple[int, int]]:
    """Find the rest of a line after words that announce a citation."""
    last = 0
    for found in _CITED.finditer(text):
        if found.start() >= last:
            last = text.find("\n", found.end())
            last = len(text) if last < 0 else last
            yield found.end() - 1, last + 1


def _find_quotations(text: str) -> Iterator[tuple[int, int]]:
    """Find quotations."""
    found = _QUOTED.search(text)
    while found is not None:
        start, end = found.span()
        closed = end if found["opening"] is None else _find_closing(text, start)
        if closed is not None:
            yield start, closed
        found = _QUOTED.search(text, closed or end)


def _find_closing(text: str, start: int) -> int | None:
    """Return where the quotation that opens here ends; None if it is empty or too long."""
    mark = text[start]
    places = (text.find(each, start + 1, start + _LONGEST + 2) for each in _CLOSINGS[mark])
    end = min((place for place in places if place > 0), default=0) + 1
    if end <= start + 2 or (mark == '"' and _is_in_a_word(text, end)):
        return None
    return end


def _is_in_a_word(text: str, place: int) -> bool:
    return text[place : place + 1].isalnum() or text.startswith("_", place)


def _find_unclosed(hidden: str) -> Iterator[tuple[int, int]]:
    """Find quotations that go on to the end of their line."""
    if not any(mark in hidden for mark in _CLOSINGS):
        return
    for line in _LINE.finditer(hidden):
        start, end = line.span()
        closing = max(hidden.rfind(mark, start, end) for mark in '"”»')
        if found := _NOT_CLOSED.search(hidden, max(start, closing), end):
            yield found.span()
