"""The one place where stored and retrieved text is made unable to pass for structure.

A backslash goes before words that structure a prompt, and characters that cannot be seen are shown
by their codes. Both can be seen and undone. Everything else stays as it is, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from tacit.structure.characters import escaped, hidden, revealed, shown, unescaped
from tacit.structure.lookalikes import places_in, view_of
from tacit.structure.templates import (
    EXCERPT_LABEL,
    INJECTION_BLOCK_PREFIX,
    LINE_REMARKS,
    RULER,
    TEMPLATES,
    Heading,
    Remark,
    Speaker,
    Tag,
    Template,
    Title,
    Token,
)

_BREAKS = re.compile(r"\r\n?")
_ELEMENT = r"</?[a-z][a-z0-9]{0,9}>"
_SPACE = r"[^\S\n]*+"
_BEFORE = rf"(?:[>#*_~`=\\]|[^\S\n]|{_ELEMENT})*+"
_BEFORE_SPEAKER = rf"(?:[>#*_~\\]|[^\S\n]|{_ELEMENT})*+"
_AFTER = rf"(?:[*_~`\"']|[^\S\n]|{_ELEMENT})*+"
_ALIKE = {
    "i": "[il1|]",
    "l": "[il1|]",
    "o": "[o0]",
    " ": r"[^\S\n]++",
    ":": rf"{_SPACE}:",
    "[": rf"\[{_SPACE}",
    "]": rf"{_SPACE}\]",
}
_TAG = r"</?(?:[\w-]++:)?(?P<tag>\w[\w-]*+)(?:\s[^<>]*+|/)?>"
_TYPE = re.compile(r"<[A-Z][a-z]++>")
"""Behind a name, as in `List<User>`, this is a type and no tag."""


def neutralised(text: str) -> str:
    """One line that shows a stored text; harmless text is shown as it is."""
    return revealed(_marked(text, _places(text, in_line=True)))


def restored(text: str) -> str:
    """The stored text that `neutralised` showed."""
    text = hidden(text)
    return _bare(text, _places(text, in_line=True)) if "\\" in text else text


def neutralised_lines(text: str, *, begins_line: bool = True) -> str:
    """A text of several lines, shown as it is where it is harmless; ends of lines are line feeds.

    A text that does not begin its line stands behind something else there.
    """
    text = _BREAKS.sub("\n", text)
    return escaped(_marked(text, _places(text, begins_line=begins_line)))


def restored_lines(text: str) -> str:
    """The text that `neutralised_lines` showed, where it began its line."""
    text = unescaped(text)
    return _bare(text, _places(text)) if "\\" in text else text


def neutralised_once(text: str, *, begins_line: bool = True) -> str:
    """A text of several lines that is neutral, or is made so: doing it twice changes nothing."""
    text = _BREAKS.sub("\n", text)
    places = _places(text, begins_line=begins_line)
    return shown(_marked(text, (each for each in places if text[each - 1 : each] != "\\")))


def without_forged_end(text: str) -> str:
    """A neutral text that was cut, without a last line that only the cut has made a title."""
    before, _, last = text.rpartition("\n")
    return text if neutralised_once(last) == last else before.rstrip()


def is_heading(line: str) -> bool:
    """Whether a line looks like one that Tacit puts over a part of a prompt."""
    return _headings().match(view_of(line)) is not None


def _marked(text: str, places: Iterable[int]) -> str:
    """The text with one backslash more at each place."""
    pieces, start = [], 0
    for place in places:
        pieces.append(text[start:place])
        start = place
    return "\\".join([*pieces, text[start:]])


def _bare(text: str, places: Iterable[int]) -> str:
    """The text with one backslash less before each place."""
    pieces, start = [], 0
    for place in places:
        pieces.append(text[start:place].removesuffix("\\"))
        start = place
    return "".join([*pieces, text[start:]])


def _places(text: str, *, begins_line: bool = True, in_line: bool = False) -> list[int]:
    """Where structuring words begin; `in_line` where the text becomes part of a memory's line."""
    view = view_of(text)
    opening = _at_line_start().finditer(view)
    starts = {found.end() for found in opening if begins_line or found.start()}
    if "<" in view or "[" in view:
        found = _anywhere().finditer(view)
        starts.update(each.start() for each in found if each.lastgroup is None or _is_tag(each))
    if in_line and "(" in view:
        starts.update(found.start() for found in _remarks().finditer(view))
    return places_in(text, view, starts) if starts else []


@cache
def _at_line_start() -> re.Pattern[str]:
    openings = (*_openings(Heading), *_openings(Template), *_titles(), EXCERPT_LABEL)
    return re.compile(
        rf"^{_SPACE}\\*+(?={_beginnings()})(?={_BEFORE_SPEAKER}{_speakers()}|{_BEFORE}(?:{'|'.join(openings)})"
        rf"|\#\#\#+{_SPACE}instruction)",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _headings() -> re.Pattern[str]:
    headings = "|".join((*_openings(Heading), *_titles()))
    return re.compile(rf"(?:{_BEFORE}-)*+{_BEFORE}(?:{headings})", re.IGNORECASE)


@cache
def _anywhere() -> re.Pattern[str]:
    header = rf"{_spelled(INJECTION_BLOCK_PREFIX)}{_SPACE}\#{_SPACE}[0-9a-f]{{8}}"
    tokens = "|".join(map(_spelled, _of(Token)))
    return re.compile(
        rf"(?=[<\[][^\S\n]*+[\w/|<])(?:{header}|{tokens}|<\|[^\s<>|]++\|>|{_TAG})", re.IGNORECASE
    )


def _is_tag(found: re.Match[str]) -> bool:
    """Whether a tag is one that clients and models know."""
    if not _is_known(found["tag"]):
        return False
    before = found.string[max(found.start() - 1, 0) : found.start()]
    return not (before.isalnum() and _TYPE.fullmatch(found[0]))


@lru_cache(maxsize=1_024)
def _is_known(name: str) -> bool:
    return _tags().fullmatch(name) is not None


@cache
def _tags() -> re.Pattern[str]:
    names = "|".join("s?[-_]".join(map(_spelled, tag.split("-"))) for tag in _of(Tag))
    return re.compile(rf"(?:{names})s?", re.IGNORECASE)


@cache
def _remarks() -> re.Pattern[str]:
    last = "|".join(map(_spelled, _of(Remark)))
    return re.compile(rf"{'|'.join(LINE_REMARKS)}|\((?:{last})\)(?=\s*\Z)", re.IGNORECASE)


def _of(kind: type[Template]) -> list[Template]:
    """The templates of a kind, and of no narrower one."""
    return list(dict.fromkeys(each for each in TEMPLATES if type(each) is kind))


def _openings(kind: type[Template]) -> Iterator[str]:
    """Patterns of what a line begins with; a colon after a bracket may be left out."""
    for each in _of(kind):
        if each == RULER:
            yield RULER[0]
        else:
            words = each.rstrip()
            yield _spelled(words.removesuffix(":") if words.endswith("]:") else words)


def _titles() -> Iterator[str]:
    for title in _of(Title):
        name, bracket, _ = title.rstrip(":").partition(" (")
        yield rf"{_spelled(name)}{_AFTER}(?=[:\n{'(' if bracket else ''}]|\Z)"


def _beginnings() -> str:
    """What a structuring line begins with, as one set of characters: most lines are told by it."""
    kinds = (Heading, Template, Title, Speaker)
    firsts = {view_of(each[0]).lower() for kind in kinds for each in _of(kind)}
    alike = {"i": "il1|", "l": "il1|", "o": "o0"}
    characters = "".join(alike.get(each, each) for each in sorted(firsts)) + "[>#*_~`=<\\"
    return f"[{re.escape(characters)}]"


def _speakers() -> str:
    names = "|".join(map(_spelled, _of(Speaker)))
    return rf"(?:{names})(?:{_SPACE}\(\d[\d-]*+\))?{_AFTER}:"


def _spelled(words: str) -> str:
    """A pattern of words, whatever their lookalikes within ASCII."""
    return "".join(_ALIKE.get(each.lower(), re.escape(each)) for each in view_of(words))
