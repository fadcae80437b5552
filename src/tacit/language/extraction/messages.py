"""A message as it is read: tidied, with its quotes masked, in lines and sentences."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from tacit.language.extraction.foreign_sentences import SpokenSentence
from tacit.language.extraction.lines import MessageLine, normalize_line_ends, split_lines
from tacit.language.extraction.quotations import find_quoted_lines
from tacit.language.extraction.quoted_text import mask_quotes, tidy_spaces
from tacit.language.extraction.rule_tables import (
    DEFAULT_LANGUAGE,
    RuleTable,
    detect_rule_tables,
    load_rule_table,
)
from tacit.language.extraction.sentences import SentenceSpan, split_line
from tacit.language.extraction.third_party_text import quotes_self
from tacit.language.languages import LanguageVotes, count_votes

MAX_CHARACTERS = 20_000
"""How much of a message is read."""


class Rewording(NamedTuple):
    """Words that are read in the place of a part of a message."""

    start: int
    end: int
    said: str
    hidden: str
    is_clear: bool
    """Whether they state anything: what takes itself back may leave nothing certain."""


class RewordedSpan(NamedTuple):
    """A part of a message that is read in other words, and what was said there."""

    start: int
    end: int
    as_said: str
    is_clear: bool


@dataclass(frozen=True)
class MessageText:
    """The text of a message, and the lines and the rules to read it by."""

    said: str
    """The message with tidy spaces; all positions are positions in it."""
    hidden: str
    """The same with its quotes masked."""
    lines: Sequence[MessageLine]
    tables: Sequence[RuleTable]
    """The rules of the language of the whole message."""
    reworded: Sequence[RewordedSpan] = ()
    """What is read in other words than it was said, in order."""

    def reword(self, rewordings: Sequence[Rewording]) -> "MessageText":
        """The message in other words, given in the order of its text; a line stays a line."""
        said: list[str] = []
        hidden: list[str] = []
        spans: list[RewordedSpan] = []
        grown, place = [0], 0
        for start, end, words, masked, is_clear in rewordings:
            as_said = self.said[start:end]
            said += (self.said[place:start], words)
            hidden += (self.hidden[place:start], masked)
            begun = start + grown[-1]
            spans.append(RewordedSpan(begun, begun + len(words), as_said, is_clear))
            grown.append(grown[-1] + len(words) - len(as_said))
            place = end
        ends = [each.end for each in rewordings]
        lines = [
            line._replace(
                start=line.start + grown[bisect_right(ends, line.start)],
                end=line.end + grown[bisect_right(ends, line.end)],
            )
            for line in self.lines
        ]
        return replace(
            self,
            said="".join((*said, self.said[place:])),
            hidden="".join((*hidden, self.hidden[place:])),
            lines=lines,
            reworded=spans,
        )

    def quote(self, start: int, end: int) -> str:
        """The words of a part of the message as they were said."""
        pieces: list[str] = []
        for each in self._find_reworded(start, end):
            pieces += (self.said[start : each.start], each.as_said)
            start = each.end
        return "".join((*pieces, self.said[start:end]))

    def is_clear(self, start: int, end: int) -> bool:
        """Whether a part of the message states anything that it does not take back."""
        return all(each.is_clear for each in self._find_reworded(start, end))

    def _find_reworded(self, start: int, end: int) -> list[RewordedSpan]:
        return [each for each in self.reworded if each.start < end and start < each.end]

    @cached_property
    def sentences(self) -> Sequence[SpokenSentence]:
        """The sentences of the lines that are not quoted, code or log, each in its language."""
        return [
            self._read_language(sentence)
            for number, line in enumerate(self.lines)
            if line.reason is None
            for sentence in split_line(self.hidden, number, line)
        ]

    def _read_language(self, sentence: SentenceSpan) -> SpokenSentence:
        words = self._hidden_in(sentence)
        votes = count_votes(words)
        is_other = (self._votes if votes.is_tie else votes).is_other
        tables = detect_rule_tables(words) or self.tables
        return SpokenSentence(sentence, tables, has_rules=not is_other)

    @cached_property
    def _votes(self) -> LanguageVotes:
        return count_votes(self.hidden)

    def _hidden_in(self, sentence: SentenceSpan) -> str:
        return self.hidden[sentence.start : sentence.end]


def prepare_message(text: str) -> MessageText:
    """Prepare the beginning of a message, at most `MAX_CHARACTERS` of it."""
    given = normalize_line_ends(text[:MAX_CHARACTERS])
    return _mask_message(tidy_spaces(given), find_quoted_lines(given))


def prepare_sentence(said: str) -> MessageText:
    """Prepare a sentence of a tidy message, which no other line introduces as a quotation."""
    return _mask_message(said, ())


def _mask_message(said: str, quoted: Collection[int]) -> MessageText:
    hidden = said if quotes_self(said) else mask_quotes(said)
    tables = detect_rule_tables(hidden) or [load_rule_table(DEFAULT_LANGUAGE)]
    return MessageText(said, hidden, split_lines(said, hidden, quoted), tables)
