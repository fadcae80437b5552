"""A message as it is read: tidied, with its quotes masked, in lines and sentences."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

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
from tacit.language.extraction.sentences import split_line

MAX_CHARACTERS = 20_000
"""How much of a message is read."""


@dataclass(frozen=True, slots=True)
class MessageText:
    """The text of a message, and the lines and the rules to read it by."""

    said: str
    """The message with tidy spaces; all positions are positions in it."""
    hidden: str
    """The same with its quotes masked."""
    lines: Sequence[MessageLine]
    tables: Sequence[RuleTable]
    """The rules of the language of the whole message."""

    def split_sentences(self) -> Iterator[SpokenSentence]:
        """The sentences of the lines that are not quoted, code or log, each in its language."""
        for number, line in enumerate(self.lines):
            if line.reason is None:
                for sentence in split_line(self.hidden, number, line):
                    said = self.hidden[sentence.start : sentence.end]
                    yield SpokenSentence(sentence, detect_rule_tables(said) or self.tables)


def prepare_message(text: str) -> MessageText:
    """Prepare the beginning of a message, at most `MAX_CHARACTERS` of it."""
    given = normalize_line_ends(text[:MAX_CHARACTERS])
    return _mask_message(tidy_spaces(given), find_quoted_lines(given))


def prepare_sentence(said: str) -> MessageText:
    """Prepare a sentence of a tidy message, which no other line introduces as a quotation."""
    return _mask_message(said, ())


def _mask_message(said: str, quoted: Collection[int]) -> MessageText:
    hidden = mask_quotes(said)
    tables = detect_rule_tables(hidden) or [load_rule_table(DEFAULT_LANGUAGE)]
    return MessageText(said, hidden, split_lines(said, hidden, quoted), tables)
