"""Split a line into sentences, and a sentence into clauses."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from tacit.language.extraction.lines import MessageLine
from tacit.language.extraction.rule_tables import RuleTable, detect_rule_tables
from tacit.language.sentences import find_sentence_ends, is_question, split_sentences

WORD = re.compile(r"[^\W_](?:[\w'’]*[^\W_])?")
"""A word, with the apostrophes inside it."""

_LONGEST = 1_000
"""The maximum length of a sentence; longer ones are read in pieces."""


class TextSpan(Protocol):
    """A part of a message by its position."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


class SentenceSpan(NamedTuple):
    """A sentence and its position in the message."""

    start: int
    end: int
    line: int
    is_item: bool


def split_line(hidden: str, number: int, line: MessageLine) -> Iterator[SentenceSpan]:
    """Split a line into sentences; masked quotations do not end any."""
    start = line.start
    for end in (*find_sentence_ends(hidden, line.start, line.end), line.end):
        yield from _sentence_spans(hidden, start, end, number, line)
        start = end


def _sentence_spans(
    hidden: str, start: int, end: int, number: int, line: MessageLine
) -> Iterator[SentenceSpan]:
    while start < end and (hidden[start].isspace() or hidden[start] == "¡"):
        start += 1
    while end > start and hidden[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST:
        cut = hidden.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
        yield SentenceSpan(start, cut, number, line.is_item)
        start = cut
    if end > start:
        yield SentenceSpan(start, end, number, line.is_item)


_MAX_CLAUSES = 24
"""The most clauses of a sentence; the rest is one clause."""


class ClauseSpan(NamedTuple):
    """A clause, the position of its own words, and the conjunction before it."""

    start: int
    end: int
    joint: str = ""
    is_front: bool = False
    """Whether it is a phrase that belongs to the clause after it."""


LEAST_WORDS = 3
"""A clause with fewer words states nothing by itself."""


def find_clauses(text: str) -> list[str]:
    """The clauses of a text that may state something; sentences in an unknown language.

    Of a longer text only the beginning is read, as much as one sentence may have.
    """
    read = text[:_LONGEST]
    told = [sentence for sentence in split_sentences(read) if not is_question(sentence)]
    for table in detect_rule_tables(read)[:1]:
        told = [
            sentence[clause.start : clause.end].strip(" .,;!")
            for sentence in told
            for clause in split_clauses(sentence, 0, len(sentence), table)
        ]
    return [each for each in told if len(each.split()) >= LEAST_WORDS]


def split_clauses(hidden: str, start: int, end: int, table: RuleTable) -> list[ClauseSpan]:
    """Split a sentence into clauses without the words that only connect them."""
    found: list[ClauseSpan] = []
    joint = ""
    for piece_end, next_start, next_joint in _find_cuts(hidden, start, end, table):
        found += _split_piece(hidden, start, piece_end, joint, table)
        start, joint = next_start, next_joint
    return found


def _find_cuts(
    hidden: str, start: int, end: int, table: RuleTable
) -> Iterator[tuple[int, int, str]]:
    found = table["joints"].finditer(hidden, start, end)
    joints = (joint for joint in found if joint.start() > start)
    apposed_until = begun = start
    for joint in islice(joints, _MAX_CLAUSES):
        apposed = table["apposed"].match(hidden, joint.end(), end)
        if apposed is not None:
            apposed_until = apposed.end()
        elif joint.start() > apposed_until and not _shares_verb(hidden, begun, joint, table):
            begun = joint.end()
            yield joint.start(), joint.end(), joint[0].strip(" ,").casefold()
    yield end, end, ""


def _shares_verb(hidden: str, begun: int, joint: re.Match[str], table: RuleTable) -> bool:
    """Whether a piece is only a subject of the verb after "and": "my wife and I", "Ann and I"."""
    return "," not in joint[0] and bool(table["sharing"].fullmatch(hidden, begun, joint.start()))


def _split_piece(
    hidden: str, start: int, end: int, joint: str, table: RuleTable
) -> Iterator[ClauseSpan]:
    start = skip_lead_ins(hidden, start, end, table)
    front = table["fronts"].match(hidden, start, end)
    if front is not None and start < front.end():
        yield ClauseSpan(start, front.end(), joint, is_front=True)
        start, joint = skip_lead_ins(hidden, front.end(), end, table), ""
    if start < end:
        yield ClauseSpan(start, end, joint)


def skip_lead_ins(hidden: str, start: int, end: int, table: RuleTable) -> int:
    """Return where a clause begins after greetings and fillers."""
    while (lead := table["leads"].match(hidden, start, end)) and start < lead.end() < end:
        start = lead.end()
    return start
