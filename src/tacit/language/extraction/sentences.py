"""Split a line into sentences, and a sentence into clauses."""

import re
from collections.abc import Iterator
from heapq import merge
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
    is_bound: bool = False
    """Whether it belongs to the clause before it: it points back, or goes on with a list."""


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
    joint, is_bound = "", False
    for cut in _find_cuts(hidden, start, end, table):
        pieces = _split_piece(hidden, start, cut.end, joint, table)
        found += [piece._replace(is_bound=is_bound) for piece in pieces]
        start, joint, is_bound = cut.next_start, cut.joint, cut.binds
    return found


class _Cut(NamedTuple):
    """Where a clause ends, and where the next one begins."""

    end: int
    next_start: int
    joint: str
    binds: bool
    """Whether the next clause belongs to the one before."""


_AND = r"(?:and|or|&|und|oder|et|ou|y|e|o|u)"
_CAPITALS = r"(?: (?-i:[A-ZÀ-ÖØ-Þ])[\w'-]*+){0,2}"
_ITEM = (
    r"(?>(?:(?:the|an?|my|our|der|die|das|den|dem|eine?|le|la|les|une?|el|los|las|una) )?"
    rf"[\w'&/+#-]++(?:\.\w++|\.(?= (?-i:[A-ZÀ-ÖØ-Þ])))*{_CAPITALS})"
)
_CONJOINED = re.compile(rf"\s{_AND}\s", re.IGNORECASE)
_LIST = re.compile(
    rf",\s+(?:{_ITEM},\s+){{0,12}}{_ITEM},?\s+{_AND}\s+{_ITEM}"
    r"(?=\s*(?:[.!;:)]|$))",
    re.IGNORECASE,
)
"""The rest of a list after its first item: ", plan, build and review"."""

_NAMED = (
    r"(?>(?:(?:my|our|mein\w{0,2}|unser\w{0,2}|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?) [\w'-]++"
    rf"|(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]*+){_CAPITALS})"
)
_SUBJECTS = re.compile(
    rf"{_NAMED},\s+(?:{_NAMED},\s+){{0,12}}{_NAMED},?\s+{_AND}\s+{_NAMED}(?= (?-i:[a-zà-öø-þ]))",
    re.IGNORECASE,
)
"""Several subjects of one verb: "Ann, Bea and Cleo are"."""


def _find_cuts(hidden: str, start: int, end: int, table: RuleTable) -> Iterator[_Cut]:
    refers = table["refers_back"].search(hidden, start, end) is not None
    lists = _CONJOINED.search(hidden, start, end) is not None
    apposed_until = _end_of_subjects(hidden, start, end, table) if lists else start
    listed_until = begun = start
    for joint in islice(_find_joints(hidden, start, end, table, refers=refers), _MAX_CLAUSES):
        if lists and joint[0].startswith(",") and joint.start() >= listed_until:
            listed_until = _end_of_list(hidden, joint.start(), end, table)
        apposed = table["apposed"].match(hidden, joint.end(), end)
        if apposed is not None:
            apposed_until = apposed.end()
        elif joint.start() > apposed_until and not _shares_verb(hidden, begun, joint, table):
            begun = joint.end()
            binds = begun <= listed_until or (refers and points_back(hidden, begun, end, table))
            yield _Cut(joint.start(), begun, joint[0].strip(" ,.!…").casefold(), binds)
    yield _Cut(end, end, "", False)


def _find_joints(
    hidden: str, start: int, end: int, table: RuleTable, *, refers: bool
) -> Iterator[re.Match[str]]:
    """Where a sentence may fall apart; if it refers to itself, also after a full stop."""
    joints = (each for each in table["joints"].finditer(hidden, start, end) if each.start() > start)
    if not refers:
        return joints
    stops = _STOP.finditer(hidden, start, end)
    referring = (stop for stop in stops if points_back(hidden, stop.end(), end, table))
    return merge(joints, referring, key=lambda joint: joint.start())


def _end_of_subjects(hidden: str, start: int, end: int, table: RuleTable) -> int:
    subjects = _SUBJECTS.match(hidden, skip_lead_ins(hidden, start, end, table), end)
    return start if subjects is None else subjects.end()


def _end_of_list(hidden: str, start: int, end: int, table: RuleTable) -> int:
    """Where a list ends whose second item follows; its start if none does."""
    listed = _LIST.match(hidden, start, end)
    return start if listed is None or _is_talk(listed[0], table) else listed.end()


_STOP = re.compile(r"(?<=[\w)])[.!…]+\s+")


def _is_talk(listed: str, table: RuleTable) -> bool:
    """Whether what looks like a list is thanks or a greeting: "thanks and bye"."""
    return table["pleasantries"].match(listed.lstrip(" ,")) is not None and listed.islower()


def points_back(hidden: str, start: int, end: int, table: RuleTable) -> bool:
    """Whether words begin with something that only the words before them can tell."""
    start = skip_lead_ins(hidden, start, end, table)
    return table["refers_back"].match(hidden, start, end) is not None


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
