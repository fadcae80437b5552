"""What a sentence points back to: a person whom a pronoun means, or the sentence before it."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tacit.language.extraction.foreign_sentences import SpokenSentence
from tacit.language.extraction.questions import split_sentence
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import SentenceSpan, points_back
from tacit.language.sentences import is_question

_OTHER_NAME = re.compile(
    r"(?<=[a-z,] )(?<!\bin )(?<!\bat )(?<!\bon )(?<!\bof )(?<!\bnear )(?<!\bfrom )[A-Z][a-z]+"
)
_JOINT = re.compile(r",? (?:and|but) |, ")
_SHORT_HAS = re.compile(r" (?:got|been|had)\b")


def name_person(said: str, before: Sequence[str], table: RuleTable) -> str | None:
    """Return a sentence with the person that its pronoun means; None if that is not certain.

    It is certain if the sentences before it name one person near the speaker, and no other.
    """
    pronoun = table["anaphors"].match(said)
    if pronoun is None:
        return None
    found = [person for each in before for person in table["persons"].finditer(each)]
    names = {person["named"].casefold() for person in found}
    others = (table["persons"].sub("", each) for each in before)
    if len(names) != 1 or any(map(_OTHER_NAME.search, others)):
        return None
    if not _agrees(found[0], pronoun["pronoun"].casefold()):
        return None
    rest = said[pronoun.end() :]
    if pronoun["short"]:
        rest = f" has{rest}" if _SHORT_HAS.match(rest) else f" is{rest}"
    return found[-1]["named"] + rest


def _agrees(person: re.Match[str], pronoun: str) -> bool:
    return bool(person["any"] or person[pronoun])


def split_at_person(
    hidden: str, sentence: SentenceSpan, table: RuleTable
) -> Iterator[SentenceSpan]:
    """Split a sentence where it goes on about a person whom it named before, as "she" or "he".

    After a comma alone it goes on with the same statement, unless it only asked before.
    """
    start = sentence.start
    for joint in _JOINT.finditer(hidden, sentence.start, sentence.end):
        before = hidden[sentence.start : joint.start()]
        part = sentence._replace(start=start, end=joint.start())
        if joint[0] == ", " and not split_sentence(hidden, part, table).only_asks:
            continue
        if name_person(hidden[joint.end() : sentence.end], [before], table) is not None:
            yield part
            start = joint.end()
    yield sentence._replace(start=start)


_MOST_JOINED = 3
"""The most sentences that are read as one."""


def join_referring(hidden: str, spoken: Iterable[SpokenSentence]) -> Iterator[SpokenSentence]:
    """Join a sentence with those before it in its line to which it points: "The new one is …"."""
    joined: SpokenSentence | None = None
    count = 0
    for each in spoken:
        if joined is not None and count < _MOST_JOINED and _refers(hidden, joined, each):
            joined = joined.between(joined.sentence.start, each.sentence.end)
            count += 1
            continue
        if joined is not None:
            yield joined
        joined, count = each, 1
    if joined is not None:
        yield joined


def _refers(hidden: str, before: SpokenSentence, each: SpokenSentence) -> bool:
    one, other = before.sentence, each.sentence
    if one.line != other.line or is_question(hidden[one.start : one.end]):
        return False
    is_told = not is_question(hidden[other.start : other.end])
    return is_told and points_back(hidden, other.start, other.end, before.tables[0])
