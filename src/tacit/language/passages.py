"""Passages: what of a message is worth keeping as it was said, in pieces that can be shown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tacit.language.extraction.own_sentences import OwnSentence, find_own_sentences
from tacit.language.query import clean_message
from tacit.language.small_talk import is_low_information
from tacit.language.topics import speaks_of_all_projects

MAX_KEPT_CHARACTERS = 2_000
"""How much of a message is kept."""

MAX_PASSAGE_CHARACTERS = 500
"""A longer message is kept in passages that end with a sentence."""

_MAX_HEAD = 200
"""A longer line above a list is not repeated above the second half of it."""

_MARK = "…"


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a message; one that `only_asks` holds questions and requests alone.

    One that `is_for_all_projects` tells what holds in every project.
    """

    text: str
    only_asks: bool = False
    is_for_all_projects: bool = False


def cut_passages(text: str) -> list[Passage]:
    """The passages of a message that are worth keeping; none of small talk, commands and pastes."""
    if is_low_information(clean_message(text), has_context=False):
        return []
    pieces = [piece for each in find_own_sentences(text) for piece in _cut_sentence(each)]
    passages = map(_to_passage, _join(_group_lists(_take(pieces, MAX_KEPT_CHARACTERS))))
    return [each for each in passages if not is_low_information(each.text, has_context=False)]


def _cut_sentence(sentence: OwnSentence) -> Iterator[OwnSentence]:
    """A sentence, or the pieces of one that is too long, cut at a comma or else at a word."""
    rest, begins = sentence.text, ""
    while len(begins) + len(rest) > MAX_PASSAGE_CHARACTERS:
        room = MAX_PASSAGE_CHARACTERS - len(begins) - len(f" {_MARK}")
        comma = rest.rfind(", ", room // 2, room) + 1
        end = comma or rest.rfind(" ", room // 2, room + 1)
        end = end if end > 0 else room
        yield sentence._replace(text=f"{begins}{rest[:end].rstrip()} {_MARK}")
        rest, begins = rest[end:].lstrip(), f"{_MARK} "
    yield sentence._replace(text=begins + rest)


def _take(sentences: Iterable[OwnSentence], characters: int) -> Iterator[OwnSentence]:
    """The first sentences, as far as the characters go."""
    for sentence in sentences:
        characters -= len(sentence.lead) + len(sentence.text)
        if characters < -1:
            return
        yield sentence


def _group_lists(sentences: Iterable[OwnSentence]) -> Iterator[list[OwnSentence]]:
    """Single sentences, and lists with the sentence that introduces them."""
    group: list[OwnSentence] = []
    for sentence in sentences:
        if group and (sentence.is_item or group[-1].text.endswith((":", "："))):
            group.append(sentence)
            continue
        if group:
            yield group
        group = [sentence]
    if group:
        yield group


def _join(groups: Iterable[list[OwnSentence]]) -> Iterator[list[OwnSentence]]:
    """Join sentences into passages; a list that needs several is introduced in each."""
    passage: list[OwnSentence] = []
    for group in groups:
        if passage and not (_reach_alike(passage, group) and _fits([*passage, *group])):
            yield passage
            passage = []
        for sentence in group:
            if passage and not _fits([*passage, sentence]):
                yield passage
                passage = _repeat_head(group[0], sentence)
            passage.append(sentence)
    if passage:
        yield passage


def _repeat_head(head: OwnSentence, item: OwnSentence) -> list[OwnSentence]:
    """The line above a list, for a passage that goes on with an item in the middle of it."""
    if len(head.text) > _MAX_HEAD or not item.is_item:
        return []
    again = [head._replace(text=f"{head.text} {_MARK}")]
    return again if _fits([*again, item]) else []


def _fits(sentences: Sequence[OwnSentence]) -> bool:
    return len(_join_text(sentences)) <= MAX_PASSAGE_CHARACTERS


def _reach_alike(passage: Sequence[OwnSentence], group: Sequence[OwnSentence]) -> bool:
    """Whether both hold in every project, or both where they were said."""
    return _is_for_all_projects(passage) is _is_for_all_projects(group)


def _is_for_all_projects(sentences: Sequence[OwnSentence]) -> bool:
    """Whether sentences tell what holds in every project, by the first of them."""
    return not sentences[0].only_asks and speaks_of_all_projects(sentences[0].text)


def _to_passage(sentences: Sequence[OwnSentence]) -> Passage:
    only_asks = all(each.only_asks for each in sentences)
    return Passage(_join_text(sentences), only_asks, _is_for_all_projects(sentences))


def _join_text(sentences: Sequence[OwnSentence]) -> str:
    return "".join(f"{each.lead}{each.text}" for each in sentences).strip()
