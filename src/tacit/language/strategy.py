"""Choose which context a message needs: none, the recent conversation, or documents.

The choice is made by cue phrases, which stand in `strategy_cues.toml` and can be extended by a
workspace, and by web addresses in the message.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from itertools import chain, groupby

from tacit.core.errors import InvalidInput
from tacit.language.query import clean_message
from tacit.language.sentences import split_sentences

# Text as the cues see it: folded words, cut into sentences.


BREAK = "|"
"""Separates sentences; no cue extends over it."""

_PAUSE = re.compile(r"[…:](?=\s|$)|[¡¿!?;]|\s[-–—]+(?=\s)")
_WORD = re.compile(r"(?<!\w)\.[^\W_]+|[^\W_]+(?:[._]+[^\W_]+)*")
_FILE = re.compile(r"([^.]+)(\.(?=[^.]*[a-z])[^.]{1,8})")


def to_cue_text(text: str) -> str:
    """Convert a text to words with a space around each and a mark between sentences."""
    pieces = (
        _join_words(piece)
        for sentence in split_sentences(text)
        for piece in _PAUSE.split(fold_accents(sentence))
    )
    return f" {f' {BREAK} '.join(piece for piece in pieces if piece)} "


def fold_accents(text: str) -> str:
    """Remove case and accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign)).casefold()


def _join_words(sentence: str) -> str:
    return " ".join(part for word in _WORD.findall(sentence) for part in _split_file_name(word))


def _split_file_name(word: str) -> tuple[str, ...]:
    """Split a file name into its stem and suffix; any other word stays whole."""
    file = _FILE.fullmatch(word)
    return (word,) if file is None else (file[1], file[2])


# Cue phrases: how they are written, checked and matched.


_PART = re.compile(r"\([^()]+\)|[^()]+")
_GAP = f"(?:[^ {BREAK}]+ ){{0,3}}"
_MAX_OPENNESS = 8
"""Each may double the time for a text that does not match."""
_DRAWN_OUT = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class CueMatch:
    """A cue and its position in a text."""

    cue: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CueMatcher:
    """The cues of one kind, indexed by their first word."""

    by_word: Mapping[str, tuple[str, ...]]
    by_ending: Mapping[str, tuple[str, ...]]
    may_be_drawn_out: bool

    def matches(self, text: str) -> Iterator[CueMatch]:
        """Yield the cues in a cue text, without overlaps."""
        start = 1
        while start < len(text):
            match = self._at(text, start)
            if match is not None:
                yield match
            start = text.index(" ", start) + 1 if match is None else match.end

    def find_phrases(self, text: str) -> tuple[str, ...]:
        """Return the matching words, one phrase for each cue, without the words in a gap."""
        said: dict[str, str] = {}
        for match in self.matches(text):
            said.setdefault(
                match.cue, _show_match(text[match.start : match.end].split(), match.cue)
            )
        return tuple(said.values())

    def remove_matches(self, text: str) -> str:
        """Replace each match by a sentence break."""
        end, kept = 0, ""
        for match in self.matches(text):
            kept += f"{text[end : match.start]}{BREAK} "
            end = match.end
        return kept + text[end:]

    def occur_in(self, text: str) -> bool:
        """Whether any cue occurs in the text."""
        return next(self.matches(text), None) is not None

    def begin_text(self, text: str) -> bool:
        """Whether the text begins with a cue."""
        return self._at(text, 1) is not None

    def skip_leading(self, text: str) -> str:
        """Return the text after the cues that it begins with."""
        end = 1
        while match := self._at(text, end):
            end = match.end
        return text[end - 1 :]

    def _at(self, text: str, start: int) -> CueMatch | None:
        for cue in self._candidates(text[start : text.find(" ", start)]):
            match = _compile_cue(cue, self.may_be_drawn_out).match(text, start)
            if match is not None:
                return CueMatch(cue, start, match.end())
        return None

    def _candidates(self, word: str) -> Iterable[str]:
        cues = self.by_word.get(_collapse_repeats(word) if self.may_be_drawn_out else word, ())
        if not word.endswith(tuple(self.by_ending)):
            return cues
        ended = (cues for ending, cues in self.by_ending.items() if word.endswith(ending))
        return chain(cues, *ended)


@lru_cache(maxsize=256)
def compile_cues(written: tuple[str, ...], *, may_be_drawn_out: bool = False) -> CueMatcher:
    """Index cues, the longest first; drawn-out letters also match, as in `hellooo`."""
    by_word: dict[str, list[str]] = {}
    by_ending: dict[str, list[str]] = {}
    for cue in sorted(written, key=lambda cue: (-len(cue.split()), -len(cue), cue)):
        for first in dict.fromkeys(_first_words(cue)):
            if first.startswith("-"):
                by_ending.setdefault(first[1:], []).append(cue)
            else:
                word = _collapse_repeats(first) if may_be_drawn_out else first
                by_word.setdefault(word, []).append(cue)
    return CueMatcher(
        {word: tuple(cues) for word, cues in by_word.items()},
        {ending: tuple(cues) for ending, cues in by_ending.items()},
        may_be_drawn_out,
    )


def check_cue(field: str, cue: object) -> str:
    """Return the cue if it can be matched; raise an error that explains the notation if not."""
    if not isinstance(cue, str):
        raise InvalidInput(field, f"{cue!r} is no text; write each cue in quotes")
    said = [part for part in cue.split() if part != "*" and not part.startswith("(")]
    if not said:
        raise InvalidInput(field, f"{cue!r} has no word that must be there")
    if sum(map(_openness, cue.split())) > _MAX_OPENNESS:
        problem = f"{cue!r} leaves too much open; write several cues with fewer of (a) and *"
        raise InvalidInput(field, problem)
    for part in cue.split():
        if not _is_readable(part):
            raise InvalidInput(
                field,
                f"{cue!r}: {part!r} cannot be read; write words, a/b for either, "
                "(a) for one that may be missing, * for up to three words, -a for an ending",
            )
    return cue


def _openness(part: str) -> int:
    """How often a part of a cue doubles the ways to match a text."""
    if part == "*":
        return 2
    return int(part.startswith("(")) + int(any(" " in each for each in _part_choices(part)))


def _is_readable(part: str) -> bool:
    if part == "*":
        return True
    return _PART.fullmatch(part) is not None and all(
        each.strip("-") for each in _part_choices(part)
    )


def _first_words(cue: str) -> Iterator[str]:
    """The words that a cue may begin with."""
    for part in cue.split():
        yield from (choice.split()[0] for choice in _part_choices(part))
        if not part.startswith("("):
            return


def _collapse_repeats(word: str) -> str:
    return _DRAWN_OUT.sub(r"\1", word)


def _show_match(words: list[str], cue: str) -> str:
    return f"{words[0]} … {words[-1]}" if "*" in cue else " ".join(words)


@lru_cache(maxsize=4096)
def _compile_cue(cue: str, may_be_drawn_out: bool) -> re.Pattern[str]:
    repeated = "+" if may_be_drawn_out else ""
    return re.compile("".join(_part_pattern(part, repeated) for part in cue.split()))


def _part_pattern(part: str, repeated: str) -> str:
    if part == "*":
        return _GAP
    choices = dict.fromkeys(_part_choices(part))
    single = "|".join(_word_pattern(each, repeated) for each in choices if " " not in each)
    several = [_word_pattern(each, repeated) for each in choices if " " in each]
    either = "|".join([f"(?>{single})", *several] if single else several)  # one word, one way
    return f"(?:{either})?" if part.startswith("(") else f"(?:{either})"


@lru_cache(maxsize=4096)
def _part_choices(part: str) -> tuple[str, ...]:
    """The alternatives of a part; a suffix keeps its hyphen."""
    return tuple(
        choice[: choice.startswith("-")] + to_cue_text(choice).strip()
        for choice in part.strip("()").split("/")
    )


def _word_pattern(choice: str, repeated: str) -> str:
    beginning = "[^ ]*" if choice.startswith("-") else ""
    signs = choice.removeprefix("-")
    runs = ((sign, len(list(run))) for sign, run in groupby(signs))
    return beginning + "".join(_run_pattern(*each, repeated) for each in runs) + " "


def _run_pattern(sign: str, length: int, repeated: str) -> str:
    """Match a letter as often as it is written, or at least as often if it may be drawn out."""
    if not (repeated and sign.isalpha()):
        return re.escape(sign) * length
    return f"{re.escape(sign)}{{{length},}}+"


# The cues of each kind.


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyCues:
    """The cues of each kind, as in `strategy_cues.toml`."""

    small_talk: tuple[str, ...] = ()
    company: tuple[str, ...] = ()
    """Words that may accompany small talk but are none alone."""
    continuity: tuple[str, ...] = ()
    """References to the conversation, whatever else is said."""
    continuity_words: tuple[str, ...] = ()
    """References to the conversation, unless documents are asked for."""
    strong: tuple[str, ...] = ()
    """Two points for documents."""
    weak: tuple[str, ...] = ()
    """One point."""
    anchors: tuple[str, ...] = ()
    """One point, and enough in a question."""
    questions: tuple[str, ...] = ()
    """How a question begins."""
    domains: tuple[str, ...] = ()
    """Endings of bare domains."""


CUE_KINDS = tuple(field.name for field in fields(StrategyCues))


def extend_cues(cues: StrategyCues, more: Mapping[str, object]) -> StrategyCues:
    """Add cues, such as those of a workspace."""
    return replace(cues, **{kind: _add_cues(cues, kind, listed) for kind, listed in more.items()})


def _add_cues(cues: StrategyCues, kind: str, listed: object) -> tuple[str, ...]:
    if kind not in CUE_KINDS:
        raise InvalidInput(kind, f"is no kind of cue; there are {', '.join(CUE_KINDS)}")
    if not isinstance(listed, list | tuple):
        raise InvalidInput(kind, 'must be a list of cues, like ["handbook", "as agreed"]')
    return tuple(dict.fromkeys((*getattr(cues, kind), *(check_cue(kind, cue) for cue in listed))))


_CUE_TABLE = tomllib.loads((files(__package__) / "strategy_cues.toml").read_text("utf-8"))

DEFAULT_CUES = StrategyCues(**{kind: tuple(listed) for kind, listed in _CUE_TABLE.items()})
"""The built-in cues."""


# Web addresses.


_URL = re.compile(
    r"(?:https?|ftp)://([^\s/<>\"'?#]+)[^\s<>\"']*|(?<![\w@.])(www\.[^\s/]+)\S*", re.I
)
_LABEL = r"[^\W_](?:[^\W_]|-)*"
_DOMAIN = re.compile(
    rf"(?<![\w@./\\-])((?:{_LABEL}\.)+([a-z]{{2,}}))(?![\w(@-]|\.\w)(?:[:/?#][^\s<>\"']*)?", re.I
)
_CODE_OBJECTS = frozenset(
    {"self", "this", "console", "log", "logger", "logging", "window", "document"}
)
_PRODUCT_NAMES = frozenset({"asp.net", "vb.net", "ado.net", "ml.net", "java.io"})


@dataclass(frozen=True, slots=True)
class WebAddresses:
    """The hosts that a text names, and the text without their addresses."""

    hosts: tuple[str, ...]
    rest: str


def find_addresses(text: str, endings: Iterable[str]) -> WebAddresses:
    """Find the web addresses in a text; a bare domain counts only with a known ending."""
    known = frozenset(endings)
    hosts: list[str] = []

    def taken(match: re.Match[str]) -> str:
        hosts.append((match[1] or match[2]).casefold().rstrip(".,;:!)]"))
        return " "

    def taken_if_domain(match: re.Match[str]) -> str:
        return taken(match) if _is_domain(match[1], match[2], known) else match[0]

    rest = _DOMAIN.sub(taken_if_domain, _URL.sub(taken, text))
    return WebAddresses(tuple(dict.fromkeys(hosts)), rest)


def _is_domain(host: str, ending: str, known: frozenset[str]) -> bool:
    """Whether a name is a domain, not an attribute in code or the end of a sentence."""
    name = host.casefold()
    labels = name.split(".")
    return (
        labels[-1] in known
        and (ending.islower() or host.isupper())
        and any(sign.isalpha() for sign in labels[-2])
        and labels[0] not in _CODE_OBJECTS
        and name not in _PRODUCT_NAMES
    )


# The choice.


_MIN_DOCUMENT_SCORE = 2
_STRONG_POINTS = 2
_END_CHARACTERS = 600


class Strategy(StrEnum):
    """The context that a message needs."""

    NONE = "none"
    TAIL = "tail"
    QMD = "qmd"


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """A strategy, the reason for it, and the cues that matched."""

    strategy: Strategy
    reason: str
    matched: tuple[str, ...] = ()
    is_small_talk: bool = False
    """Whether the message does not even need the conversation."""


@dataclass(frozen=True, slots=True)
class _DocumentScore:
    """The cues that speak for documents."""

    strong: tuple[str, ...]
    weak: tuple[str, ...]
    anchors: tuple[str, ...]

    @property
    def sum(self) -> int:
        """Two points for a strong cue, one for any other."""
        return _STRONG_POINTS * len(self.strong) + len(self.weak) + len(self.anchors)

    @property
    def cues(self) -> tuple[str, ...]:
        """All cues that matched."""
        return (*self.strong, *self.weak, *self.anchors)


def choose_strategy(text: str, cues: StrategyCues = DEFAULT_CUES) -> StrategyChoice:
    """Choose the strategy for a message by its words alone."""
    found = find_addresses(_read_ends(text), cues.domains)
    said = to_cue_text(found.rest)
    if not found.hosts and not said.strip():
        return StrategyChoice(Strategy.NONE, "no words")
    if not found.hosts and _is_small_talk(said, cues):
        return StrategyChoice(Strategy.NONE, "small talk", is_small_talk=True)
    if referring := compile_cues(cues.continuity).find_phrases(said):
        return StrategyChoice(Strategy.TAIL, f"continuity: {referring[0]}", referring)
    if found.hosts:
        return StrategyChoice(Strategy.QMD, f"url: {found.hosts[0]}", found.hosts)
    return _choose_by_words(said, "?" in found.rest or _is_question(said, cues), cues)


def _choose_by_words(said: str, is_question: bool, cues: StrategyCues) -> StrategyChoice:
    points = _score_documents(said, cues)
    if points.sum >= _MIN_DOCUMENT_SCORE:
        reason = f"documents: {', '.join(points.cues)} ({points.sum})"
        return StrategyChoice(Strategy.QMD, reason, points.cues)
    if is_question and points.anchors:
        return StrategyChoice(
            Strategy.QMD, f"question with anchor: {points.anchors[0]}", points.anchors
        )
    if referring := compile_cues(cues.continuity_words).find_phrases(said):
        return StrategyChoice(Strategy.TAIL, f"continuity: {referring[0]}", referring)
    return StrategyChoice(Strategy.NONE, "no cue", points.cues)


def _read_ends(text: str) -> str:
    """Clean a message; of a long one, keep both ends, where people say what they want."""
    said = clean_message(text)
    if len(said) <= 2 * _END_CHARACTERS:
        return said
    return f"{said[:_END_CHARACTERS]}\n{said[-_END_CHARACTERS:]}"


def _is_small_talk(said: str, cues: StrategyCues) -> bool:
    """Whether the message is nothing but small talk."""
    words = said.replace(f" {BREAK} ", " ")
    if _small_talk_cues(cues).skip_leading(words).strip():
        return False
    return compile_cues(cues.small_talk, may_be_drawn_out=True).occur_in(words)


def _is_question(said: str, cues: StrategyCues) -> bool:
    """Whether a sentence begins like a question, after any small talk."""
    asking = compile_cues(cues.questions)
    sentences = [f" {sentence.strip()} " for sentence in said.split(BREAK)]
    return any(
        asking.begin_text(each) or asking.begin_text(_small_talk_cues(cues).skip_leading(each))
        for each in sentences
    )


def _small_talk_cues(cues: StrategyCues) -> CueMatcher:
    return compile_cues((*cues.small_talk, *cues.company), may_be_drawn_out=True)


def _score_documents(said: str, cues: StrategyCues) -> _DocumentScore:
    """Collect the cues for documents without counting a word twice."""
    strong, weak, anchors = (compile_cues(kind) for kind in (cues.strong, cues.weak, cues.anchors))
    left = strong.remove_matches(said)
    return _DocumentScore(
        strong.find_phrases(said),
        weak.find_phrases(left),
        anchors.find_phrases(weak.remove_matches(left)),
    )
