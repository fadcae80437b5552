"""Neutralise stored and retrieved text, so that it cannot pass for the structure of a prompt.

A backslash is put before words that structure a prompt (`prompt_templates`), characters that
cannot be seen are shown by their codes, and Markdown or HTML that a text leaves open is closed.
All of it is visible and can be undone. Everything else stays as it is, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from tacit.language.characters import (
    escape_line,
    escape_unseen,
    locate_in_text,
    show_unseen,
    to_ascii_view,
    unescape_line,
    unescape_unseen,
)
from tacit.language.code_fences import CodeFence
from tacit.language.prompt_templates import (
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
    SpecialToken,
    Tag,
    Template,
    Title,
)

_CARRIAGE_RETURNS = re.compile(r"\r\n?")
_SPACE = r"[^\S\n]*+"
_ELEMENT = r"""<(?:(?:[^<>\n"']++|"[^"\n]*+"|'[^'\n]*+')*+>|[^<>\n]*+>)"""
_NUMERAL = "[\u00b2\u00b3\u00b9\u2460-\u24ff\u2776-\u2793\u3251-\u32bf]"
_COUNTER = (
    rf"\d{{1,9}}+(?:[.:/-]\d{{1,9}}+)*+(?:[.)]|(?=[^\w=]))|{_NUMERAL}|\b(?:[ivxl]{{1,4}}+|[a-z])[.)]"
    r"|\[[^\w\[\]\n]*+[xX\d][\d:.,/ -]*+\]"
)
"""What counts or ticks off a line: `1.2`, `12:30`, `iv)`, `[x]`, `[3]`."""
_BEFORE = (
    rf"(?:(?:[^\w\s\[═<&!]|_|[^\S\n]|<(?=[<\s]))++|{_ELEMENT}|!\[[^\[\]\n]*+\]\([^()\n]*+\)"
    rf"|&\#?\w{{1,8}}+;|{_COUNTER}|[<&!]|\[(?={_SPACE}\[))*+"
)
_EMPHASIS = rf"(?:[*_~`]|[^\S\n]|\\*+{_ELEMENT})*+"
_BRACKETED = r"[(\[][^()\[\]\n]{0,60}+[)\]]"
_AFTER = rf"(?:\\*+{_ELEMENT}|{_BRACKETED}|[^\w\s:(<]|_|[^\S\n])*+"
_AFTER_SPEAKER = rf"(?:{_BRACKETED}|_|[^\w\s:<]|[^\S\n]|{_ELEMENT})*+"
_GAP = r"(?:[^\S\n]|[-_*~`.])"
_JOINT = r"(?:[^\S\n]|[-_*~`])*+"
_LOOKALIKE_PATTERNS = {
    "i": "[il1|]",
    "l": "[il1|]",
    "o": "[o0]",
    " ": _JOINT,
    ":": rf"{_EMPHASIS}:",
    "[": rf"\[{_EMPHASIS}",
    "]": rf"{_EMPHASIS}\]",
    "<": rf"<{_SPACE}",
    ">": rf"{_SPACE}>",
    "/": rf"/{_SPACE}",
}
_TABLE_ROW = r"\|[^\n|\w]*+\w[^\n|]*+\|[^\n|\w]*+\w[^\n]*\|[^\S\n]*+$"
"""A row with words in two or more columns: its cells are no lines."""
_WORD_JOINTS = re.compile("[ -]+")
_SPECIAL_TOKEN = (
    rf"[<\[]{_SPACE}\|(?=\S|[^\S\n]++[^\s|]{{3}}){_SPACE}[^\s<>|\[\]]++"
    rf"(?:[^\S\n]++[^\s<>|\[\]]++)?{_SPACE}\|"
)
_TAG = r"(?P<before><\s*+/?+\s*+)(?P<tag>\w[\w.:-]*+)"
_TAG_END = re.compile(r"\s*+/?>")
_ATTRIBUTE = re.compile(r"\s++[\w:.-]++\s*+(?:=\s*+[\"']|/?>)")
_GENERIC_TYPE = re.compile(r"<[A-Z][A-Za-z]*+$")
"""After a name, as in `List<User>`, this is a type and no tag."""
_MAX_TAG_LENGTH = 80
_SHORTEST_PLURAL = 3
_PART = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[A-Z]?[a-z\d]+|[A-Z\d]+")
_LOOKALIKE_LETTERS = str.maketrans("1i|0", "lllo")
_SUMMARY_ITEMS = tuple(f"- {speaker}: " for speaker in (USER, ASSISTANT, SYSTEM))
_COMMENTS = (("<!--", "-->"), ("<![CDATA[", "]]>"))


def neutralize_line(text: str) -> str:
    """Show a stored text on one line; harmless text stays as it is."""
    return escape_line(_add_backslashes(text, _find_structure(text, in_line=True)))


def restore_line(text: str) -> str:
    """Undo `neutralize_line`."""
    text = unescape_line(text)
    return _remove_backslashes(text, _find_structure(text, in_line=True)) if "\\" in text else text


def neutralize_lines(text: str, *, begins_line: bool = True) -> str:
    """Show a text of several lines; harmless text stays as it is, and line ends become line feeds.

    `begins_line` is false where other words stand before the text on its first line. Nothing is
    left open: an unclosed code fence is closed.
    """
    text = _CARRIAGE_RETURNS.sub("\n", text)
    return _close_lines(
        escape_unseen(_add_backslashes(text, _find_structure(text, begins_line=begins_line))),
        begins_line,
    )


def restore_lines(text: str) -> str:
    """Undo `neutralize_lines` for a text that began its line; an added closing fence stays."""
    text = unescape_unseen(text)
    return _remove_backslashes(text, _find_structure(text)) if "\\" in text else text


def neutralize_once(text: str, *, begins_line: bool = True) -> str:
    """Neutralise a text of several lines; doing it twice changes nothing.

    The items of a summary, which name the speaker of a sentence (`- User: …`), stay items.
    """
    text = _CARRIAGE_RETURNS.sub("\n", text)
    places = _find_structure(text, begins_line=begins_line)
    needed = (
        place
        for place in places
        if text[place - 1 : place] != "\\" and not text.startswith(_SUMMARY_ITEMS, place)
    )
    marked = _add_backslashes(text, needed)
    return _close_lines(show_unseen(marked), begins_line)


def remove_forged_end(text: str) -> str:
    """Remove the last line of a neutral text if cutting the text has turned it into a title."""
    before, _, last = text.rpartition("\n")
    return text if neutralize_once(last) == last else before.rstrip()


def is_heading(line: str) -> bool:
    """Whether a line looks like a heading that Tacit puts over a part of a prompt."""
    return _heading_pattern().match(to_ascii_view(line)) is not None


def _close_lines(text: str, begins_line: bool) -> str:
    """Close open markup; a fence stands on a line of its own.

    What follows other words on the first line opens nothing.
    """
    first, sign, rest = text.partition("\n")
    if begins_line or CodeFence.of(first):
        return close_markup(text if begins_line else f"\n{text}")
    return f"{first}{sign}{close_markup(rest)}"


def _add_backslashes(text: str, places: Iterable[int]) -> str:
    """Add one backslash at each place."""
    pieces, start = [], 0
    for place in places:
        pieces.append(text[start:place])
        start = place
    return "\\".join([*pieces, text[start:]])


def _remove_backslashes(text: str, places: Iterable[int]) -> str:
    """Remove one backslash before each place."""
    pieces, start = [], 0
    for place in places:
        pieces.append(text[start:place].removesuffix("\\"))
        start = place
    return "".join([*pieces, text[start:]])


def _find_structure(text: str, *, begins_line: bool = True, in_line: bool = False) -> list[int]:
    """Find where structuring words begin; `in_line` if the text becomes part of a memory's line."""
    view = to_ascii_view(text)
    opening = _line_start_pattern().finditer(view)
    starts = {found.end() for found in opening if begins_line or found.start()}
    if "<" in view or "[" in view:
        found = _anywhere_pattern().finditer(view)
        starts.update(each.start() for each in found if each["tag"] is None or _is_tag(each))
        starts.update(_find_open_comments(view))
    if in_line and "(" in view:
        starts.update(found.start() for found in _remark_pattern().finditer(view))
    return locate_in_text(text, view, starts) if starts else []


def _find_open_comments(view: str) -> Iterator[int]:
    """Find comments and the like that do not end."""
    for opening, end in _COMMENTS:
        if opening in view:
            last = view.rfind(end)
            for found in re.finditer(re.escape(opening), view):
                if found.start() > last:
                    yield found.start()


@cache
def _line_start_pattern() -> re.Pattern[str]:
    openings = (
        *_opening_patterns(Heading),
        *_opening_patterns(Template),
        *_title_patterns(),
        EXCERPT_LABEL,
    )
    return re.compile(
        rf"^{_SPACE}\\*+(?=\S)(?={_first_characters()})(?!{_TABLE_ROW})(?={_BEFORE}(?:{_speaker_pattern()}|{'|'.join(openings)})"
        rf"|\#\#\#+{_SPACE}instruction)",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def _heading_pattern() -> re.Pattern[str]:
    headings = "|".join((*_opening_patterns(Heading), *_title_patterns()))
    return re.compile(rf"{_BEFORE}(?:{headings})", re.IGNORECASE)


@cache
def _anywhere_pattern() -> re.Pattern[str]:
    header = rf"{_lookalike_pattern(INJECTION_BLOCK_PREFIX)}{_SPACE}\#{_SPACE}[0-9a-f]{{8}}"
    words = [header, *map(_lookalike_pattern, _templates_of(SpecialToken))]
    tokens = "|".join(_join_patterns(_LOOKALIKE_PATTERNS[each], words) for each in "[<")
    return re.compile(
        rf"(?=[<\[]\s*+(?:[\w|]|/\s*+\w|<\s*+/?\s*+s))(?:{tokens}|{_SPECIAL_TOKEN}|{_TAG})",
        re.IGNORECASE,
    )


def _join_patterns(first: str, patterns: Sequence[str]) -> str:
    """Join the patterns that have the same beginning."""
    rest = "|".join(each.removeprefix(first) for each in patterns if each.startswith(first))
    return f"{first}(?:{rest})"


def _is_tag(found: re.Match[str]) -> bool:
    """Whether a tag is one that clients and models know; `a < user` is a comparison."""
    words = _count_tag_words(found["tag"])
    if not words:
        return False
    view, end = found.string, found.end()
    is_ended = _TAG_END.match(view, end) is not None
    if found["before"].strip() != found["before"] or "/ " in found["before"]:
        return is_ended or _ATTRIBUTE.match(view, end) is not None
    is_behind_name = view[max(found.start() - 1, 0) : found.start()].isalnum()
    if is_behind_name and (not is_ended or _GENERIC_TYPE.match(found[0])):
        return False
    return is_ended or words > 1 or not view[end : end + 1].strip().strip("/")


@lru_cache(maxsize=1_024)
def _count_tag_words(name: str) -> int:
    """Count the words of a tag's name if clients know the tag; else 0."""
    if len(name) > _MAX_TAG_LENGTH:
        return 0
    local = name.rpartition(":")[2]
    names = {name, local, local.rstrip("0123456789_-")}
    cuts = [pattern.findall(each) for each in names for pattern in (_PART, _WORD)]
    return max(map(_count_known_words, cuts))


def _count_known_words(words: Sequence[str]) -> int:
    words = [_fold_lookalikes(each) for each in words]
    exact, first, more = _known_tags()
    is_compound = len(words) > 1 and first.intersection(words) and more.issuperset(words)
    return len(words) if is_compound or "-".join(words) in exact else 0


def _fold_lookalikes(word: str) -> str:
    """Fold a word over its lookalikes within ASCII and its plural."""
    word = word.lower().translate(_LOOKALIKE_LETTERS)
    return word.removesuffix("s") if len(word) > _SHORTEST_PLURAL else word


@cache
def _known_tags() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The names of known tags, words one of which a compound name has, and words it may add."""
    first = frozenset(map(_fold_lookalikes, TAG_WORDS))
    names = [[_fold_lookalikes(word) for word in tag.split("-")] for tag in _templates_of(Tag)]
    joined = ("".join(name) for name in names if first.intersection(name))
    exact = frozenset((*map("-".join, names), *joined))
    return exact, first, first | frozenset(map(_fold_lookalikes, MORE_TAG_WORDS))


@cache
def _remark_pattern() -> re.Pattern[str]:
    last = "|".join(map(_lookalike_pattern, _templates_of(Remark)))
    return re.compile(rf"{'|'.join(LINE_REMARKS)}|\((?:{last})\)(?=\s*\Z)", re.IGNORECASE)


def _templates_of(kind: type[Template]) -> list[Template]:
    """The templates of exactly this kind."""
    return list(dict.fromkeys(each for each in TEMPLATES if type(each) is kind))


def _opening_patterns(kind: type[Template]) -> Iterator[str]:
    """Patterns for the beginning of a line; a colon after a bracket may be missing."""
    for each in _templates_of(kind):
        if each == RULER:
            yield RULER[0]
        else:
            words = each.rstrip()
            yield _lookalike_pattern(words.removesuffix(":") if words.endswith("]:") else words)
            if kind is Heading and not words.startswith("["):
                yield _spaced_pattern(words.partition(" (")[0])


def _title_patterns() -> Iterator[str]:
    for title in _templates_of(Title):
        name, bracket, _ = title.rstrip(":").partition(" (")
        end = rf"{_AFTER}(?=[:\n{'(' if bracket else ''}]|\Z)"
        words = rf"(?:{_lookalike_pattern(name)}|{_spaced_pattern(name)})"
        yield rf"(?:\[{_EMPHASIS})?{words}{end}"


def _first_characters() -> str:
    """A pattern for what a structuring line begins with, which rules out most lines."""
    kinds = (Heading, Template, Title, Speaker)
    firsts = {to_ascii_view(each[0]).lower() for kind in kinds for each in _templates_of(kind)}
    letters = "".join(sorted(each for each in firsts if each.isalpha()))
    return rf"[^\w\s]|[_\d{letters}]|{_NUMERAL}|(?:[ivxl]{{1,4}}|[a-z])[.)]"


def _speaker_pattern() -> str:
    speakers = _templates_of(Speaker)
    names = "|".join(
        pattern(each) for each in speakers for pattern in (_lookalike_pattern, _spaced_pattern)
    )
    return rf"(?:\[[^\w\n]*+)?(?:{names}){_AFTER_SPEAKER}:"


def _lookalike_pattern(words: str) -> str:
    """A pattern for words in any lookalikes within ASCII, with any joints or none.

    After a bracket, gaps may stand between all letters: `[ K n o w n facts ]`.
    """
    plain = _WORD_JOINTS.sub(" ", to_ascii_view(words))
    if plain.startswith("["):
        kept = (each for each in plain if each not in " _")
        return f"{_GAP}*+".join(map(_letter_pattern, kept))
    return "".join(map(_letter_pattern, plain))


def _spaced_pattern(words: str) -> str:
    """A pattern for words whose letters all stand apart: `U s e r`."""
    plain = _WORD_JOINTS.sub("", to_ascii_view(words))
    return f"{_GAP}++".join(map(_letter_pattern, plain))


def _letter_pattern(letter: str) -> str:
    return _LOOKALIKE_PATTERNS.get(letter.lower(), re.escape(letter))


# Markdown and HTML that goes on over lines: code fences, comments and other blocks.


_HTML_BLOCK = re.compile(
    r" {0,3}(?:(?P<comment><!--)|(?P<data><!\[CDATA\[)|(?P<other><\?)|(?P<declared><![a-z])"
    r"|<(?P<raw>pre|script|style|textarea)(?=[\s>]|$)|(?P<element></?[a-z]))",
    re.IGNORECASE,
)
_BLOCK_ENDS = {
    "comment": re.compile("-->"),
    "data": re.compile(r"\]\]>"),
    "other": re.compile(r"\?>"),
    "declared": re.compile(">"),
    "raw": re.compile("</(?:pre|script|style|textarea)>", re.IGNORECASE),
}
_BLOCK_ENDS["element"] = _BLANK = re.compile(r"^\s*$")
_MARKUP_START = re.compile(r"^ {0,3}(?:```|~~~|<[!?psta])", re.IGNORECASE | re.MULTILINE)


def close_markup(text: str) -> str:
    """Close an open code fence, and escape other markup that a text leaves open.

    A backslash goes before a block of HTML that does not end, or not before a fence, and before an
    indented fence that contains lines with less indentation: readers differ on where those end.
    """
    if not _MARKUP_START.search(text):
        return text
    scan = _MarkupScan(text.split("\n"))
    return "\n".join(scan.settled())


class _MarkupScan:
    """Reads lines and tracks which markup is open."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._opening: CodeFence | None = None
        self._end: re.Pattern[str] | None = None
        self._doubtful: list[int] = []
        """Lines that get a backslash unless what is open ends as it should."""

    def settled(self) -> list[str]:
        """Return the lines with escapes where needed, and the line that closes the last fence."""
        for number, line in enumerate(self._lines):
            if self._opening is not None:
                self._in_fence(self._opening, number, line)
            elif self._end is not None:
                self._in_block(self._end, number, line)
            else:
                self._outside(number, line)
        if self._end not in (None, _BLANK):
            self._mark()
        return self._lines if self._opening is None else [*self._lines, self._opening.closing]

    def _outside(self, number: int, line: str) -> None:
        self._doubtful = [number]
        self._opening = CodeFence.of(line)
        block = _HTML_BLOCK.match(line)
        if block is not None:
            end = _BLOCK_ENDS[block.lastgroup or ""]
            self._end = None if end.search(line, block.end()) else end

    def _in_block(self, end: re.Pattern[str], number: int, line: str) -> None:
        block = _HTML_BLOCK.match(line)
        is_stronger = end is _BLANK and block is not None and block.lastgroup != "element"
        if end.search(line):
            self._end = None
        elif is_stronger or CodeFence.of(line):
            self._mark()
            self._outside(number, line)
        elif block is not None:
            self._doubtful.append(number)

    def _in_fence(self, opening: CodeFence, number: int, line: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent < len(opening.indent):
            self._mark()
            self._outside(number, line)
        elif opening.is_closed_by(line):
            self._opening = None
        elif CodeFence.of(line):
            self._doubtful.append(number)

    def _mark(self) -> None:
        for number in self._doubtful:
            line = self._lines[number]
            words = line.lstrip(" ")
            self._lines[number] = f"{line[: len(line) - len(words)]}\\{words}"
        self._opening = self._end = None
