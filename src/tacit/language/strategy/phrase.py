"""A cue as it is written, and as it is looked for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby

from tacit.core.errors import InvalidInput
from tacit.language.strategy.wording import BREAK, worded

_PART = re.compile(r"\([^()]+\)|[^()]+")
_GAP = f"(?:[^ {BREAK}]+ ){{0,3}}"
_MOST_OPEN = 8
"""Each may double the time that a text takes which does not match."""
_DRAWN_OUT = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class Match:
    """A cue, and where it stands in a text."""

    cue: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrases:
    """Cues of one kind, found by the word that they begin with."""

    by_word: Mapping[str, tuple[str, ...]]
    by_ending: Mapping[str, tuple[str, ...]]
    may_be_drawn_out: bool

    def matches(self, text: str) -> Iterator[Match]:
        """Those that stand in a worded text, none over another."""
        start = 1
        while start < len(text):
            match = self._at(text, start)
            if match is not None:
                yield match
            start = text.index(" ", start) + 1 if match is None else match.end

    def found(self, text: str) -> tuple[str, ...]:
        """The words that match, one for each cue, without what stood in a gap."""
        said: dict[str, str] = {}
        for match in self.matches(text):
            said.setdefault(match.cue, _shown(text[match.start : match.end].split(), match.cue))
        return tuple(said.values())

    def without(self, text: str) -> str:
        """The text with a break in the place of each."""
        end, kept = 0, ""
        for match in self.matches(text):
            kept += f"{text[end : match.start]}{BREAK} "
            end = match.end
        return kept + text[end:]

    def are_in(self, text: str) -> bool:
        """Whether there is one anywhere."""
        return next(self.matches(text), None) is not None

    def begin(self, text: str) -> bool:
        """Whether the text begins with one."""
        return self._at(text, 1) is not None

    def after(self, text: str) -> str:
        """The text behind those that it begins with."""
        end = 1
        while match := self._at(text, end):
            end = match.end
        return text[end - 1 :]

    def _at(self, text: str, start: int) -> Match | None:
        for cue in self._candidates(text[start : text.find(" ", start)]):
            match = _compiled(cue, self.may_be_drawn_out).match(text, start)
            if match is not None:
                return Match(cue, start, match.end())
        return None

    def _candidates(self, word: str) -> Iterable[str]:
        cues = self.by_word.get(_once(word) if self.may_be_drawn_out else word, ())
        if not word.endswith(tuple(self.by_ending)):
            return cues
        ended = (cues for ending, cues in self.by_ending.items() if word.endswith(ending))
        return chain(cues, *ended)


@lru_cache(maxsize=256)
def phrases(written: tuple[str, ...], *, may_be_drawn_out: bool = False) -> Phrases:
    """Cues, the longest first; one whose letters may be drawn out is also found in `hellooo`."""
    by_word: dict[str, list[str]] = {}
    by_ending: dict[str, list[str]] = {}
    for cue in sorted(written, key=lambda cue: (-len(cue.split()), -len(cue), cue)):
        for first in dict.fromkeys(_firsts(cue)):
            if first.startswith("-"):
                by_ending.setdefault(first[1:], []).append(cue)
            else:
                word = _once(first) if may_be_drawn_out else first
                by_word.setdefault(word, []).append(cue)
    return Phrases(
        {word: tuple(cues) for word, cues in by_word.items()},
        {ending: tuple(cues) for ending, cues in by_ending.items()},
        may_be_drawn_out,
    )


def checked(field: str, cue: object) -> str:
    """A cue that can be looked for, or an error that says how one is written."""
    if not isinstance(cue, str):
        raise InvalidInput(field, f"{cue!r} is no text; write each cue in quotes")
    said = [part for part in cue.split() if part != "*" and not part.startswith("(")]
    if not said:
        raise InvalidInput(field, f"{cue!r} has no word that must be there")
    if sum(map(_ways, cue.split())) > _MOST_OPEN:
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


def _ways(part: str) -> int:
    """How much a part leaves open, by how often it doubles the ways to read a text."""
    if part == "*":
        return 2
    return int(part.startswith("(")) + int(any(" " in each for each in _choices(part)))


def _is_readable(part: str) -> bool:
    if part == "*":
        return True
    return _PART.fullmatch(part) is not None and all(each.strip("-") for each in _choices(part))


def _firsts(cue: str) -> Iterator[str]:
    """The words that it may begin with."""
    for part in cue.split():
        yield from (choice.split()[0] for choice in _choices(part))
        if not part.startswith("("):
            return


def _once(word: str) -> str:
    return _DRAWN_OUT.sub(r"\1", word)


def _shown(words: list[str], cue: str) -> str:
    return f"{words[0]} … {words[-1]}" if "*" in cue else " ".join(words)


@lru_cache(maxsize=4096)
def _compiled(cue: str, may_be_drawn_out: bool) -> re.Pattern[str]:
    repeated = "+" if may_be_drawn_out else ""
    return re.compile("".join(_pattern(part, repeated) for part in cue.split()))


def _pattern(part: str, repeated: str) -> str:
    if part == "*":
        return _GAP
    choices = dict.fromkeys(_choices(part))
    single = "|".join(_word(each, repeated) for each in choices if " " not in each)
    several = [_word(each, repeated) for each in choices if " " in each]
    either = "|".join([f"(?>{single})", *several] if single else several)  # one word, one way
    return f"(?:{either})?" if part.startswith("(") else f"(?:{either})"


@lru_cache(maxsize=4096)
def _choices(part: str) -> tuple[str, ...]:
    """What may stand there; an ending keeps its mark."""
    return tuple(
        choice[: choice.startswith("-")] + worded(choice).strip()
        for choice in part.strip("()").split("/")
    )


def _word(choice: str, repeated: str) -> str:
    beginning = "[^ ]*" if choice.startswith("-") else ""
    signs = choice.removeprefix("-")
    runs = ((sign, len(list(run))) for sign, run in groupby(signs))
    return beginning + "".join(_run(*each, repeated) for each in runs) + " "


def _run(sign: str, length: int, repeated: str) -> str:
    """A letter as often as it is written; one that may be drawn out at least as often."""
    if not (repeated and sign.isalpha()):
        return re.escape(sign) * length
    return f"{re.escape(sign)}{{{length},}}+"
