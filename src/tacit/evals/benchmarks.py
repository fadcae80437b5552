"""Public benchmarks, LoCoMo and LongMemEval: is what answers a question found again?"""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.core.fields import MAX_CONTENT_BYTES
from tacit.core.memory import Memory
from tacit.evals.corpus import (
    BenchmarkConversation,
    Progress,
    Stopwatch,
    mean,
    open_conversations,
    preview_injected,
    ratio,
    read_benchmark,
)
from tacit.search.results import SearchResult
from tacit.settings.config import make_search_settings

# LoCoMo: are the turns that answer a question found?


_LOCOMO_DEPTHS = (5, 10, 20)
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def evaluate_locomo(path: Path, progress: Progress) -> dict[str, Any]:
    """What a search finds of a question's evidence, and what a turn with defaults injects of it."""
    return {
        **evaluate_locomo_search(path, progress),
        "turn": _evaluate_locomo_turns(path, progress),
    }


def evaluate_locomo_search(path: Path, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Recall of evidence turns: the share found among the first hits, averaged over questions."""
    data = read_benchmark(path)
    samples = parse_locomo(path, data)
    conversations = [locomo_conversation(sample) for sample in samples]
    chosen = make_search_settings({"max_results": max(_LOCOMO_DEPTHS), **settings})
    found: dict[int, list[float]] = defaultdict(list)
    by_category: dict[str, list[float]] = defaultdict(list)
    watch = Stopwatch()
    opened_ = open_conversations(data, conversations, progress)
    for sample, (_, tacit) in zip(samples, opened_, strict=True):
        for question, gold in locomo_questions(sample):
            result = watch.search(tacit, question["question"], **asdict(chosen))
            turns = [locomo_turn(hit.memory) for hit in result.hits]
            for depth in _LOCOMO_DEPTHS:
                found[depth].append(len(gold & set(turns[:depth])) / len(gold))
            by_category[_CATEGORIES[question["category"]]].append(found[10][-1])
        tacit.close()
    return {
        **{f"recall@{depth}": mean(found[depth]) for depth in _LOCOMO_DEPTHS},
        "by_category": {name: mean(values) for name, values in sorted(by_category.items())},
        "questions": len(found[10]),
        "search_ms": watch.summary(),
        "settings": asdict(chosen),
    }


def _evaluate_locomo_turns(path: Path, progress: Progress) -> dict[str, float]:
    """The share of the evidence that is injected, lines a turn, and the share that is evidence."""
    data = read_benchmark(path)
    samples = parse_locomo(path, data)
    recall: list[float] = []
    lines: list[int] = []
    evidence = 0
    conversations = [_without_keys(locomo_conversation(sample)) for sample in samples]
    opened = open_conversations(data, conversations, progress)
    for sample, (_, tacit) in zip(samples, opened, strict=True):
        for question, gold in locomo_questions(sample):
            injected, standing = preview_injected(tacit, question["question"])
            shown = [locomo_turn(tacit.get(id)) for id in injected + standing]
            recall.append(len(gold.intersection(shown)) / len(gold))
            lines.append(len(injected))
            evidence += sum(turn in gold for turn in shown[: len(injected)])
        tacit.close()
    return {
        "recall": mean(recall),
        "lines": mean(lines),
        "line_precision": ratio(evidence, sum(lines)),
    }


def _without_keys(conversation: BenchmarkConversation) -> BenchmarkConversation:
    """The same turns as a conversation leaves them: the number of a turn is no key of a fact."""
    drafts = [{**draft, "key": None} for draft in conversation.drafts]
    return replace(conversation, name=f"{conversation.name}-plain", drafts=drafts)


def locomo_turn(memory: Memory) -> str:
    """The turn that a memory was said in, as evidence names it."""
    return f"D{memory.origin.session}:{memory.origin.ordinal}"


def parse_locomo(path: Path, data: bytes) -> list[dict[str, Any]]:
    """The conversations of LoCoMo's file."""
    try:
        samples = json.loads(data)
        samples[0]["conversation"], samples[0]["qa"]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not LoCoMo's file ({error!r})") from None
    return list(samples)


def locomo_conversation(sample: Mapping[str, Any]) -> BenchmarkConversation:
    """What was said in one of them."""
    drafts = [
        _locomo_draft(sample, int(match.group(1)), turn)
        for name, turns in sample["conversation"].items()
        if (match := _SESSION.fullmatch(name))
        for turn in turns
    ]
    return BenchmarkConversation(str(sample["sample_id"]), drafts)


def _locomo_draft(
    sample: Mapping[str, Any], session: int, turn: Mapping[str, Any]
) -> dict[str, Any]:
    """A turn as it was said; a picture that was shared is in the words of its caption."""
    caption = turn.get("blip_caption")
    said = datetime.strptime(
        sample["conversation"][f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y"
    )
    return {
        "content": f"{turn['text']} [{caption}]" if caption else turn["text"] or "…",
        "type": "observation",
        "key": turn["dia_id"],
        "origin": {
            "session": str(session),
            "ordinal": int(turn["dia_id"].split(":")[1]),
            "speaker": turn["speaker"],
            "time": said,
        },
    }


def locomo_questions(sample: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], set[str]]]:
    """Its questions that have evidence, each with the turns that answer it."""
    for question in sample["qa"]:
        pairs = _EVIDENCE.findall(" ".join(map(str, question.get("evidence", []))))
        gold = {f"D{session}:{turn}" for session, turn in pairs}
        if gold:
            yield question, gold


# LongMemEval: are the sessions that answer a question found?


_LONGMEMEVAL_DEPTHS = (5, 10)
_HITS = 200
"""Sessions are counted in the order of their best hit, so more hits than sessions are asked for."""


def evaluate_longmemeval(path: Path, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Whether any and all of a question's sessions are among the first; abstentions left out."""
    data = read_benchmark(path)
    questions = parse_longmemeval(path, data)
    conversations = [longmemeval_conversation(question) for question in questions]
    chosen = make_search_settings({"max_results": _HITS, **settings})
    found: dict[str, list[float]] = defaultdict(list)
    by_type: dict[str, list[float]] = defaultdict(list)
    watch = Stopwatch()
    opened_ = open_conversations(data, conversations, progress)
    for question, (_, tacit) in zip(questions, opened_, strict=True):
        result = watch.search(tacit, question["question"], **asdict(chosen))
        sessions = _found_sessions(result)
        gold = _answer_sessions(question)
        for depth in _LONGMEMEVAL_DEPTHS:
            first = set(sessions[:depth])
            found[f"any@{depth}"].append(float(bool(gold & first)))
            found[f"all@{depth}"].append(float(gold <= first))
        by_type[question["question_type"]].append(found["all@5"][-1])
        tacit.close()
    return {
        **{name: mean(values) for name, values in sorted(found.items())},
        "by_type": {name: mean(values) for name, values in sorted(by_type.items())},
        "questions": len(found["all@5"]),
        "search_ms": watch.summary(),
        "settings": asdict(chosen),
    }


def parse_longmemeval(path: Path, data: bytes) -> list[dict[str, Any]]:
    """The questions of LongMemEval's file that have an answer."""
    try:
        unpacked = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        questions = json.loads(unpacked)
        questions[0]["haystack_sessions"], questions[0]["answer_session_ids"]
    except (ValueError, LookupError, TypeError, OSError, EOFError) as error:
        raise ArchiveError(f"{path}: is not LongMemEval's file ({error!r})") from None
    return [each for each in questions if not each["question_id"].endswith("_abs")]


def longmemeval_conversation(question: Mapping[str, Any]) -> BenchmarkConversation:
    """Sessions are numbered: their own ids tell which hold the answer."""
    dates = question["haystack_dates"]
    drafts = [
        _longmemeval_draft(session, ordinal, turn, dates[session])
        for session, turns in enumerate(question["haystack_sessions"])
        for ordinal, turn in enumerate(turns)
        if turn["content"].strip()
    ]
    return BenchmarkConversation(question["question_id"], drafts)


def _longmemeval_draft(
    session: int, ordinal: int, turn: Mapping[str, Any], date: str
) -> dict[str, Any]:
    content = turn["content"].replace("\0", "").encode()[:MAX_CONTENT_BYTES].decode(errors="ignore")
    return {
        "content": content,
        "type": "observation",
        "key": f"{session}:{ordinal}",
        "origin": {
            "session": str(session),
            "ordinal": ordinal,
            "speaker": turn["role"],
            "time": datetime.strptime(date, "%Y/%m/%d (%a) %H:%M"),
        },
    }


def _found_sessions(result: SearchResult) -> list[int]:
    """Sessions in the order of their best hit."""
    return list(dict.fromkeys(int(hit.memory.origin.session or -1) for hit in result.hits))


def _answer_sessions(question: Mapping[str, Any]) -> set[int]:
    answers = set(question["answer_session_ids"])
    ids: Sequence[str] = question["haystack_session_ids"]
    return {number for number, id in enumerate(ids) if id in answers}
