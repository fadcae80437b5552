"""The gist of a conversation, found by rules: facts, intents, actions and open questions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import lru_cache
from itertools import chain, islice

from tacit.grounding.chat_log import EntryKind, LogEntry
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.findings import Finding
from tacit.language.prompt_templates import SUMMARY_PREFIX
from tacit.language.redaction.redact import clip_redacted
from tacit.language.small_talk import is_low_information
from tacit.language.summary_scores import SummarySection, score_sentences
from tacit.language.terms import extract_query_terms
from tacit.language.tokens import estimate_tokens
from tacit.language.transcript import TranscriptSentence, split_transcript, write_transcript
from tacit.statements.comparison import Comparison, compare_texts
from tacit.writing.learning.echoes import remove_pasted_blocks

LONGEST_ITEM = 190

_ROLES = {EntryKind.INBOUND: "user", EntryKind.OUTBOUND: "assistant"}
_LOOKED_AT = 3
"""For each fact that there is room for, so many are looked at."""
_USER, _ASSISTANT = "User", "Assistant"
_DONE = re.compile(
    r"(?:done\b|i(?:['’]ve| have| just)? (?!am\b|can\b|think\b|would\b|see\b|don)\w+"
    r"|(?:add|creat|fix|updat|remov|delet|renam|mov|chang|replac|install|configur|deploy|implement"
    r"|refactor|migrat|restor|revert|merg|push|committ|test|check|sav|schedul|send)ed\b"
    r"|(?:wrote|ran|sent|set|made|built|found)\b|ich habe\b|erledigt\b|j['’]ai\b|he \w+do\b"
    r"|hecho\b)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """The essence of a conversation, the latest of each kind first."""

    facts: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


_TITLES = {
    "facts": "Canonical facts",
    "intents": "Recent user intents",
    "actions": "Recent assistant actions",
    "questions": "Open questions",
}


def build_gist(said: Sequence[LogEntry], items: int, now: datetime) -> Gist:
    """Build the gist of messages in their order, with a limit of items for each kind."""
    found = split_transcript(to_transcript(said))
    findings = _find_facts(said, now)
    values = reversed(score_sentences(found))
    asked = [each.sentence for each in values if each.group is SummarySection.QUESTION]
    stated = {_plain(each.sentence) for each in findings}
    return Gist(
        facts=_drop_repeats(_keep_latest(findings, items), items),
        intents=_drop_repeats(
            _find_intents(found, stated, {_plain(each.text) for each in asked}), items
        ),
        actions=_drop_repeats(_find_actions(found), items),
        questions=_drop_repeats((f"{each.speaker}: {each.text}" for each in asked), items),
    )


def to_transcript(said: Sequence[LogEntry]) -> str:
    """Write messages as a transcript, without pasted blocks."""
    messages = [{"role": _ROLES[each.kind], "content": _own_words(each.text)} for each in said]
    return write_transcript(messages, {})


def format_gist(gist: Gist, tokens: int | None = None) -> str:
    """Format a gist as text; if there is little room, the latest of each kind come first."""
    kept: dict[str, list[str]] = {name: [] for name in _TITLES}
    most = max(len(getattr(gist, each.name)) for each in fields(gist))
    for rank in range(most):
        for name, held in kept.items():
            listed = getattr(gist, name)
            if rank < len(listed):
                held.append(listed[rank])
                if tokens is not None and estimate_tokens(_layout(kept)) > tokens:
                    held.pop()
    return _layout(kept)


def parse_gist(text: str) -> Gist:
    """Parse what `format_gist` wrote."""
    titles = {f"## {title}": name for name, title in _TITLES.items()}
    listed: dict[str, list[str]] = {}
    held: list[str] = []
    for line in text.split("\n"):
        if line in titles:
            held = listed.setdefault(titles[line], [])
        elif line.startswith("- "):
            held.append(line.removeprefix("- "))
    return Gist(**{name: tuple(items) for name, items in listed.items()})


def remove_said(gist: Gist, said: Sequence[Mapping[str, str]]) -> Gist:
    """Remove what messages in the same prompt say word for word."""
    found = split_transcript(write_transcript(said, {}))
    by = {
        speaker: {_plain(_shorten_item(each.text)) for each in found if each.speaker == speaker}
        for speaker in (_USER, _ASSISTANT)
    }
    own = [_with_spaces(each["content"]) for each in said if each["role"] == "user"]

    def is_asked(question: str) -> bool:
        speaker, _, text = question.partition(": ")
        return _plain(text) in by.get(speaker, set())

    return Gist(
        facts=tuple(
            each for each in gist.facts if not any(_with_spaces(each) in text for text in own)
        ),
        intents=tuple(each for each in gist.intents if _plain(each) not in by[_USER]),
        actions=tuple(each for each in gist.actions if _plain(each) not in by[_ASSISTANT]),
        questions=tuple(each for each in gist.questions if not is_asked(each)),
    )


def remove_told(gist: Gist, block: str) -> Gist:
    """Remove the facts that a line of the memory block says word for word."""
    lines = [_with_spaces(line) for line in block.splitlines()]
    told = {each for each in gist.facts if any(_with_spaces(each) in line for line in lines)}
    return replace(gist, facts=tuple(each for each in gist.facts if each not in told))


def clear_cache() -> None:
    """Clear the cache of extracted statements."""
    for kept in (_own_words, _extract_cached, _telling_words, _is_replaced, _is_idle):
        kept.cache_clear()


def _layout(kept: dict[str, list[str]]) -> str:
    parts = [
        "\n".join([f"## {_TITLES[name]}", *(f"- {item}" for item in items)])
        for name, items in kept.items()
        if items
    ]
    return "\n\n".join(parts)


def _find_facts(said: Iterable[LogEntry], now: datetime) -> list[Finding]:
    """What the user stated, the latest first, without what has expired."""
    own = [each for each in said if each.kind is EntryKind.INBOUND]
    found = [
        finding
        for each in reversed(own)
        for finding in reversed(_extract_cached(each.text, each.at))
    ]
    return [each for each in found if each.expires_at is None or each.expires_at > now]


def _keep_latest(findings: Iterable[Finding], items: int) -> list[str]:
    """The statements that no later one replaces."""
    kept: list[Finding] = []
    for finding in islice(findings, items * _LOOKED_AT):
        if len(kept) >= items:
            break
        if not any(_replaces(later, finding) for later in kept):
            kept.append(finding)
    return [each.content for each in kept]


def _replaces(later: Finding, earlier: Finding) -> bool:
    if later.key is not None and later.key == earlier.key:
        return True
    is_near = earlier.type is later.type or not _telling_words(earlier.content).isdisjoint(
        _telling_words(later.content)
    )
    return is_near and _is_replaced(earlier.content, later.content)


@lru_cache(maxsize=1_024)
def _is_replaced(earlier: str, later: str) -> bool:
    return compare_texts(earlier, later) in (Comparison.REPEATS, Comparison.CONFLICTS)


@lru_cache(maxsize=1_024)
def _extract_cached(text: str, at: datetime) -> tuple[Finding, ...]:
    return extract_findings(_own_words(text), at).findings


@lru_cache(maxsize=1_024)
def _own_words(text: str) -> str:
    """A message without pasted blocks, which cannot pass for one of our summaries."""
    own = remove_pasted_blocks(text)
    return f"\\{own}" if own.lstrip().startswith(SUMMARY_PREFIX) else own


@lru_cache(maxsize=1_024)
def _telling_words(text: str) -> frozenset[str]:
    return frozenset(
        stem
        for term in extract_query_terms(text)
        if not term.is_stop_word
        for stem in term.alternatives
    )


def _find_intents(
    found: Sequence[TranscriptSentence], facts: set[str], asked: set[str]
) -> Iterator[str]:
    """What the user wanted in each message, the latest first, without open questions."""
    for texts in _sentences_of(found, _USER):
        wanted = next((each for each in texts if _says(each, facts)), None)
        if wanted is not None and _plain(wanted) not in asked:
            yield wanted


def _find_actions(found: Sequence[TranscriptSentence]) -> Iterator[str]:
    """What the assistant says it did in each message, or what it says first."""
    for texts in _sentences_of(found, _ASSISTANT):
        done = (each for each in texts if _DONE.match(each))
        told = next(chain(done, (each for each in texts if _says(each, set()))), None)
        if told is not None:
            yield told


def _sentences_of(found: Sequence[TranscriptSentence], speaker: str) -> list[list[str]]:
    """The sentences of each message of a speaker, the latest message first."""
    messages: dict[int, list[str]] = {}
    for each in found:
        if each.speaker == speaker and (speaker == _USER or not each.is_question):
            messages.setdefault(each.turn, []).append(each.text)
    return list(messages.values())[::-1]


def _says(sentence: str, taken: set[str]) -> bool:
    return not _is_idle(sentence) and _plain(sentence) not in taken


@lru_cache(maxsize=1_024)
def _is_idle(sentence: str) -> bool:
    return is_low_information(sentence, has_context=False)


def _drop_repeats(texts: Iterable[str], items: int) -> tuple[str, ...]:
    """The first of items that say the same, each shortened."""
    kept: dict[str, str] = {}
    for text in texts:
        kept.setdefault(_plain(text), _shorten_item(text))
        if len(kept) == items:
            break
    return tuple(kept.values())


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def _with_spaces(text: str) -> str:
    """Plain words between spaces, to find whole words."""
    return f" {_plain(text)} "


def _shorten_item(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= LONGEST_ITEM:
        return line
    room = line[:LONGEST_ITEM]
    kept = room.rpartition(" ")[0][: LONGEST_ITEM - 1] or room[:-1]
    return f"{clip_redacted(line, len(kept)).rstrip()}…"
