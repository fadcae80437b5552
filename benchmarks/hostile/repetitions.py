"""Hostile texts: short units repeated to a size, made of the words that a function looks for."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random

SEED = 20_261_116


class Form(StrEnum):
    """How a unit is repeated."""

    PLAIN = "plain"
    NUMBERED = "numbered"
    """Each time with another number, so that no two are the same."""
    CUT = "cut"
    """With an end at which a long match fails."""
    LINES = "lines"
    """Each on a line of its own."""
    FILLED = "filled"
    """Once, then a long run of one sign, then once more: a match that has to end at the second."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """A unit and how it is repeated."""

    unit: str
    form: Form = Form.PLAIN
    filler: str = " "
    """What the run of a filled one is made of."""

    def __str__(self) -> str:
        """The unit as Python writes it, and its form unless that is plain."""
        if self.form is Form.FILLED:
            return f"{self.unit!a} {self.form} with {self.filler!a}"
        return ascii(self.unit) + ("" if self.form is Form.PLAIN else f" {self.form}")

    def text(self, size: int, more: int = 0) -> str:
        """About so many characters of it, and some units more; none is cut within."""
        if self.form is Form.NUMBERED:
            return "".join(self._numbered(size, _FIRST + size + more))
        if self.form is Form.FILLED:
            return self.unit + self.filler * (size + more - len(self.unit)) + self.unit
        unit = f"{self.unit}\n" if self.form is Form.LINES else self.unit
        text = unit * (-(-size // len(unit)) + more)
        return text + _END if self.form is Form.CUT else text

    def _numbered(self, size: int, number: int) -> Iterator[str]:
        """Beginning with a number, so that no cache knows another text."""
        length = 0
        while length < size:
            part = f"{self.unit}{number}" if self.unit.endswith(" ") else f"{self.unit}{number} "
            yield part
            length, number = length + len(part), number + 1


KNOWN = (
    "a", "A", "Aa", "aA", "a ", "A ", "I ", "Ab ", "0", "1 ", "1,", "1.", "0x", "a1", "é",
    "e\u0301", "\u0301", "\u200b", "\u202e", "\u00ad", "字", "字 ", "あ", "한", "ا", "ß", "İ", "ﬁ",
    "👩\u200d", "🇩", "\ufeff", "\x00", " ", "\t", "\n", " \n", "\n\n", "\r", "\r\n", "\u2028",
    "  \n", ".", ". ", "..", "!", "?", "? ", ",", ", ", ";", ":", ": ", "-", "--", "-- ", "- ",
    "- - ", "- -", "– ", "—", "_", "__", "*", "**", "* ", "** ", "+ ", "=", "==", "= ", "a=",
    "a:", "a: ", "a=b ", "a=b&", "#", "# ", "## ", "#\n", "> ", ">", ">>", "> > ", "|", "| ",
    "| a ", "|-", "|--|\n", "a|b\n", "(", ")", "()", "((", "[", "]", "[]", "[[", "[a", "[a](",
    "[a](b) ", "![", "{", "}", "{}", "{{", "{{ ", "}}", '{"a":', "[{", "<", "</", "<a", "<a>",
    "<a ", "<!--", "<!-- ", "-->", "<private>", "</private>", "<private", "<private><",
    "<system>", "</system>", "<system-reminder>", "'", '"', "''", '""', "' ", '" ', '"a', '"a" ',
    "“", "”", "“a” ", "‘", "’", "«", "»", "`", "``", "```", "```\n", "~~~\n", "` ", "`a", "\\",
    "\\\\", "\\n", "\\x", "\\u", "/", "//", "/*", "*/", "/a", "a/", "./", "../", "%", "%2", "%20",
    "@", "@a", "a@", "a@b", "a@b.c ", "&", "&amp;", "$", "$1", "€", "^", "~", "http://",
    "https://a", "http://a.b/ ", "://", "www.", "a.b", "a.b.", "a-b", "a-", "a_", "a_b", "a'b",
    "it's ", "don't ", "password: ", "password", "password ", "password=", "password: a ",
    "password is ", "my password ", "api_key=", "token ", "secret: ", "key ", "key: ", "Bearer ",
    "bearer", "Basic ", "AKIA", "sk-", "eyJ", "eyJa.", "ghp_", "tacit_", "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----", "-----",
    "[redacted: password]", "[redacted", "user: ", "User: ", "\nUser: a", "assistant: ",
    "\nAssistant: ", "[tool result] ", "## 2026-01-01T00:00:00.000Z INBOUND\n",
    "[Context from memory]", "[Context from memory] #0123abcd\n", "[Compaction Summary]: ",
    "[Fact] ", "[Goal] a (importance: 0.6)", "- a (fact, user, confidence ", "═", "2026-01-01 ",
    "2026-", "12:00 ", "10:", "1st ", "I like ", "I prefer a. ", "we ", "we decided ", "we use ",
    "not ", "never ", "no longer ", "and ", "or ", "a and ", "because ", "that ", "of ", "the ",
    "The A is B. ", "my a is b ", "remember ", "remember that ", "note: ", "TODO: ", "if ", "is ",
    "it is ", "as you know ", "in fact ", "Mr. ", "e.g. ", "i.e., ", "U.S. ", "hi ", "ok ",
    "thanks ", "file.py ", "src/a.py:", "Traceback (", 'File "a", line 1', "at a.b(", "ERROR ",
    "---\n", "---\na: b\n", "a: b\n", "- a\n", "- a\n  - b\n", "1. a\n", "    a\n", "\ta\n",
    "a\n===\n", "a\n---\n", "a\n\n", "  - ", "> a\n", "+---+\n", "a == 1 and ", "not not ",
    "event.a", "len(", "@a/b ", "@/", "*** Add File: ", "]]>", "BEGIN", "\x1b[",
)  # fmt: skip
"""Units that have cost some reader of texts dear: here, or in other programs."""

_ALWAYS = ("Aa", "-- ", "- - ", "password: ", "a@b", "U.S. ", "Hi ", "\n")
"""Every function is given these."""

_FILLERS = (
    " ",
    "\t",
    "\n",
    "-",
    "a",
    "0",
    ".",
    "'",
    '"',
    "`",
    "*",
    "(",
    "[",
    "<",
    "\\",
    "/",
    ":",
    "@",
    "#",
    "_",
)
_FILLED = 8

_FIRST = 1_000_000
"""Numbers have the same length in short texts and in long ones."""

_JOINTS = ("", "", " ", " ", "\n", ", ", ". ", ": ", "=", " - ")
_END = "\x01!"
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SIGNS = re.compile(r"[^\w\s]{1,3} ?")
_REGEX_SYNTAX = re.compile(
    r"\(\?(?:P?<\w+>|[:=!i>-]+|<[=!])|\\[bBwWdDsSAZ]|\[\^?|[*+?]\+?|\{\d*,?\d*\}"
)
_TABLES = (".toml", ".txt", ".yaml", ".md")


def repetitions(name: str, sources: Sequence[str], count: int) -> Iterator[Repetition]:
    """So many for a function, the same each time: known ones, and others of its own words."""
    draw = Random(f"{SEED} {name}")
    drawn = draw.sample(KNOWN, min(count // 2, len(KNOWN)))
    known = list(dict.fromkeys((*_ALWAYS, *drawn)))[: max(count // 2, len(_ALWAYS))]
    yield from map(Repetition, known)
    filled = min(_FILLED, max(count - len(known), 0))
    yield from islice(_filled(Random(f"{SEED} {name} filled"), sources), filled)
    yield from islice(_sampled(draw, sources), max(count - len(known) - filled, 0))


def _filled(draw: Random, sources: Sequence[str]) -> Iterator[Repetition]:
    """Runs between two letters, then between words and signs that the function looks for."""
    yield from (Repetition("x", Form.FILLED, filler) for filler in _FILLERS[:4])
    words, signs = vocabulary(tuple(sources))
    kinds = [kind for kind in (words, signs, KNOWN) if kind]
    while True:
        yield Repetition(draw.choice(draw.choice(kinds)), Form.FILLED, draw.choice(_FILLERS))


def _sampled(draw: Random, sources: Sequence[str]) -> Iterator[Repetition]:
    """Units of one to three parts, of the tables of these modules and of signs that all know."""
    words, signs = vocabulary(tuple(sources))
    kinds = [kind for kind in (words, words, signs, KNOWN) if kind]
    forms = [Form.PLAIN, Form.PLAIN, Form.NUMBERED, Form.CUT, Form.LINES]
    while True:
        parts = [draw.choice(draw.choice(kinds)) for _ in range(draw.choice((1, 2, 2, 3)))]
        unit = draw.choice(_JOINTS).join(parts) + draw.choice(_JOINTS)
        yield Repetition(unit, draw.choice(forms))


@cache
def vocabulary(sources: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The words and the signs that modules and the tables beside them are written with."""
    texts = [text for source in sources for path in _files(source) for text in _texts(path)]
    plain = [_REGEX_SYNTAX.sub(" ", text) for text in texts]
    words = {word for text in plain for word in _WORD.findall(text)}
    signs = {sign for text in plain for sign in _SIGNS.findall(text)}
    return sorted(words), sorted(signs)


def _files(source: str) -> list[Path]:
    spec = find_spec(source)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {source}")
    path = Path(spec.origin)
    if spec.submodule_search_locations is None:
        return [path, *_tables(path)]
    return sorted(each for each in path.parent.rglob("*") if each.suffix in (".py", *_TABLES))


def _tables(path: Path) -> list[Path]:
    """The tables beside a module that it names."""
    named = {text for text in _texts(path) if text.endswith(_TABLES)}
    return sorted(path.parent / name for name in named if (path.parent / name).is_file())


@cache
def _texts(path: Path) -> list[str]:
    """What stands in a table, or the strings of a module other than its docstrings."""
    written = path.read_text("utf-8")
    if path.suffix != ".py":
        return [written]
    nodes = list(ast.walk(ast.parse(written)))
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]
