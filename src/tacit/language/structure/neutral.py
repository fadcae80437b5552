"""The one place where stored and retrieved text is made unable to pass for structure.

A backslash goes before words that structure a prompt, and characters that cannot be seen are shown
by their codes. Both can be seen and undone. Everything else stays as it is, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from tacit.language.structure.characters import escaped, hidden, revealed, shown, unescaped
from tacit.language.structure.fences import closed, is_fence
from tacit.language.structure.lookalikes import places_in, view_of
from tacit.language.structure.templates import (
    ASSISTANT,
    EXCERPT_LABEL,
    INJECTION_BLOCK_PREFIX,
    LINE_REMARKS,
    MORE_TAG_WORDS,
    RULER,
    SYSTEM,
    TAG_WORDS,
    TEMPLATES,
    USER,
    Heading,
    Remark,
    Speaker,
    Tag,
    Template,
    Title,
    Token,
)

_BREAKS = re.compile(r"\r\n?")
_SPACE = r"[^\S\n]*+"
_ELEMENT = r"""<(?:(?:[^<>\n"']++|"[^"\n]*+"|'[^'\n]*+')*+>|[^<>\n]*+>)"""
_BEFORE = (
    rf"(?:(?:[^\w\s\[═<&!]|_|[^\S\n]|<(?=[<\s]))++|{_ELEMENT}|!\[[^\[\]\n]*+\]\([^()\n]*+\)"
    rf"|&\#?\w{{1,8}}+;|\d{{1,9}}+[.)]|\b[a-z][.)]|[<&!]|\[(?={_SPACE}\[))*+"
)
_AFTER = rf"(?:[*_~`\"']|[^\S\n]|\\*+{_ELEMENT})*+"
_AFTER_SPEAKER = rf"(?:[(\[][^()\[\]\n]{{0,60}}+[)\]]|_|[^\w\s:<]|[^\S\n]|{_ELEMENT})*+"
_ALIKE = {
    "i": "[il1|]",
    "l": "[il1|]",
    "o": "[o0]",
    " ": r"(?:[^\S\n]|[-_])++",
    ":": rf"{_SPACE}:",
    "[": rf"\[{_SPACE}",
    "]": rf"{_SPACE}\]",
    "<": rf"<{_SPACE}",
    ">": rf"{_SPACE}>",
    "/": rf"/{_SPACE}",
}
_ROW = r"\|[^\n|]*+\|[^\n]*\|[^\S\n]*+$"
"""Of a table with more than one column: its cells are no lines."""
_JOINTS = re.compile("[ -]+")
_SPECIAL = (
    rf"[<\[]{_SPACE}\|(?=\S|[^\S\n]++[^\s|]{{3}}){_SPACE}[^\s<>|\[\]]++"
    rf"(?:[^\S\n]++[^\s<>|\[\]]++)?{_SPACE}\|"
)
_TAG = r"(?P<before><\s*+/?+\s*+)(?:[\w-]++:)?(?P<tag>\w[\w.-]*+)"
_ENDED = re.compile(r"\s*+/?>")
_ATTRIBUTE = re.compile(r"\s++[\w:.-]++\s*+(?:=\s*+[\"']|/?>)")
_TYPE = re.compile(r"<[A-Z][A-Za-z]*+$")
"""Behind a name, as in `List<User>`, this is a type and no tag."""
_LONGEST_TAG = 80
_SHORTEST_PLURAL = 3
_PART = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[A-Z]?[a-z\d]+|[A-Z\d]+")
_SAME = str.maketrans("1i|0", "lllo")
_ITEMS = tuple(f"- {speaker}: " for speaker in (USER, ASSISTANT, SYSTEM))
_OPEN = (("<!--", "-->"), ("<![CDATA[", "]]>"))


def neutralised(text: str) -> str:
    """One line that shows a stored text; harmless text is shown as it is."""
    return revealed(_marked(text, _places(text, in_line=True)))


def restored(text: str) -> str:
    """The stored text that `neutralised` showed."""
    text = hidden(text)
    return _bare(text, _places(text, in_line=True)) if "\\" in text else text


def neutralised_lines(text: str, *, begins_line: bool = True) -> str:
    """A text of several lines, shown as it is where it is harmless; ends of lines are line feeds.

    A text that does not begin its line stands behind something else there. Nothing is left open:
    the last code fence is closed, if it is not.
    """
    text = _BREAKS.sub("\n", text)
    return _ended(escaped(_marked(text, _places(text, begins_line=begins_line))), begins_line)


def restored_lines(text: str) -> str:
    """The text that `neutralised_lines` showed, where it began its line, with its fence closed."""
    text = unescaped(text)
    return _bare(text, _places(text)) if "\\" in text else text


def neutralised_once(text: str, *, begins_line: bool = True) -> str:
    """A text of several lines that is neutral, or is made so: doing it twice changes nothing.

    The items of a summary, which say who said a sentence (`- User: …`), stay items.
    """
    text = _BREAKS.sub("\n", text)
    places = _places(text, begins_line=begins_line)
    needed = (
        place
        for place in places
        if text[place - 1 : place] != "\\" and not text.startswith(_ITEMS, place)
    )
    marked = _marked(text, needed)
    return _ended(shown(marked), begins_line)


def without_forged_end(text: str) -> str:
    """A neutral text that was cut, without a last line that only the cut has made a title."""
    before, _, last = text.rpartition("\n")
    return text if neutralised_once(last) == last else before.rstrip()


def is_heading(line: str) -> bool:
    """Whether a line looks like one that Tacit puts over a part of a prompt."""
    return _headings().match(view_of(line)) is not None


def _ended(text: str, begins_line: bool) -> str:
    """The text with nothing left open; a fence stands on a line of its own.

    What stands behind other words on the first line opens nothing.
    """
    first, sign, rest = text.partition("\n")
    if begins_line or is_fence(first):
        return closed(text if begins_line else f"\n{text}")
    return f"{first}{sign}{closed(rest)}"


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
        starts.update(each.start() for each in found if each["tag"] is None or _is_tag(each))
        starts.update(_left_open(view))
    if in_line and "(" in view:
        starts.update(found.start() for found in _remarks().finditer(view))
    return places_in(text, view, starts) if starts else []


def _left_open(view: str) -> Iterator[int]:
    """Where a comment or the like begins that does not end."""
    for opening, end in _OPEN:
        if opening in view:
            last = view.rfind(end)
            for found in re.finditer(re.escape(opening), view):
                if found.start() > last:
                    yield found.start()


@cache
def _at_line_start() -> re.Pattern[str]:
    openings = (*_openings(Heading), *_openings(Template), *_titles(), EXCERPT_LABEL)
    return re.compile(
        rf"^{_SPACE}\\*+(?=\S)(?={_beginnings()})(?!{_ROW})(?={_BEFORE}(?:{_speakers()}|{'|'.join(openings)})"
        rf"|\#\#\#+{_SPACE}instruction)",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _headings() -> re.Pattern[str]:
    headings = "|".join((*_openings(Heading), *_titles()))
    return re.compile(rf"{_BEFORE}(?:{headings})", re.IGNORECASE)


@cache
def _anywhere() -> re.Pattern[str]:
    header = rf"{_spelled(INJECTION_BLOCK_PREFIX)}{_SPACE}\#{_SPACE}[0-9a-f]{{8}}"
    words = [header, *map(_spelled, _of(Token))]
    tokens = "|".join(_with_first(_ALIKE[each], words) for each in "[<")
    return re.compile(
        rf"(?=[<\[]\s*+(?:[\w|]|/\s*+\w|<\s*+/?\s*+s))(?:{tokens}|{_SPECIAL}|{_TAG})", re.IGNORECASE
    )


def _with_first(first: str, patterns: Sequence[str]) -> str:
    """Those patterns that begin alike as one."""
    rest = "|".join(each.removeprefix(first) for each in patterns if each.startswith(first))
    return f"{first}(?:{rest})"


def _is_tag(found: re.Match[str]) -> bool:
    """Whether a tag is one that clients and models know; `a < user` is a comparison."""
    words = _words(found["tag"])
    if not words:
        return False
    view, end = found.string, found.end()
    is_ended = _ENDED.match(view, end) is not None
    if found["before"].strip() != found["before"] or "/ " in found["before"]:
        return is_ended or _ATTRIBUTE.match(view, end) is not None
    is_behind_name = view[max(found.start() - 1, 0) : found.start()].isalnum()
    if is_behind_name and (not is_ended or _TYPE.match(found[0])):
        return False
    return is_ended or words > 1 or not view[end : end + 1].strip().strip("/")


@lru_cache(maxsize=1_024)
def _words(name: str) -> int:
    """How many words the name of a tag has that clients know; 0 where it is another's."""
    if len(name) > _LONGEST_TAG:
        return 0
    return max(_known(_PART.findall(name)), _known(_WORD.findall(name)))


def _known(words: Sequence[str]) -> int:
    words = [_alike(each) for each in words]
    exact, first, more = _tags()
    is_compound = len(words) > 1 and first.intersection(words) and more.issuperset(words)
    return len(words) if is_compound or "-".join(words) in exact else 0


def _alike(word: str) -> str:
    """A word as all its lookalikes within ASCII are written, for one or for several."""
    word = word.lower().translate(_SAME)
    return word.removesuffix("s") if len(word) > _SHORTEST_PLURAL else word


@cache
def _tags() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Whole names, words one of which a longer name has, and those that it may have besides."""
    first = frozenset(map(_alike, TAG_WORDS))
    names = [[_alike(word) for word in tag.split("-")] for tag in _of(Tag)]
    joined = ("".join(name) for name in names if first.intersection(name))
    exact = frozenset((*map("-".join, names), *joined))
    return exact, first, first | frozenset(map(_alike, MORE_TAG_WORDS))


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
    """What a structuring line begins with: most lines are told by it."""
    kinds = (Heading, Template, Title, Speaker)
    firsts = {view_of(each[0]).lower() for kind in kinds for each in _of(kind)}
    letters = "".join(sorted(each for each in firsts if each.isalpha()))
    return rf"[^\w\s]|[_\d{letters}]|[a-z][.)]"


def _speakers() -> str:
    names = "|".join(map(_spelled, _of(Speaker)))
    return rf"(?:\[[^\w\n]*+)?(?:{names}){_AFTER_SPEAKER}:"


def _spelled(words: str) -> str:
    """A pattern of words, whatever their lookalikes within ASCII and what stands between them."""
    plain = _JOINTS.sub(" ", view_of(words))
    return "".join(_ALIKE.get(each.lower(), re.escape(each)) for each in plain)
