"""LoCoMo: do the turns that answer a question come back?"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.core.memory import Memory
from tacit.evals.corpus import Conversation, Progress, opened, read_bytes
from tacit.evals.timing import Stopwatch, mean
from tacit.settings.making import search_settings

_DEPTHS = (5, 10, 20)
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def evaluate_locomo(path: Path, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Recall of evidence turns: the share found among the first hits, averaged over questions."""
    data = read_bytes(path)
    samples = parsed(path, data)
    conversations = [conversation(sample) for sample in samples]
    chosen = search_settings({"max_results": max(_DEPTHS), **settings})
    found: dict[int, list[float]] = defaultdict(list)
    by_category: dict[str, list[float]] = defaultdict(list)
    watch = Stopwatch()
    opened_ = opened(data, conversations, progress)
    for sample, (_, tacit) in zip(samples, opened_, strict=True):
        for question, gold in questions(sample):
            result = watch.search(tacit, question["question"], **asdict(chosen))
            turns = [turn_of(hit.memory) for hit in result.hits]
            for depth in _DEPTHS:
                found[depth].append(len(gold & set(turns[:depth])) / len(gold))
            by_category[_CATEGORIES[question["category"]]].append(found[10][-1])
        tacit.close()
    return {
        **{f"recall@{depth}": mean(found[depth]) for depth in _DEPTHS},
        "by_category": {name: mean(values) for name, values in sorted(by_category.items())},
        "questions": len(found[10]),
        "search_ms": watch.summary(),
        "settings": asdict(chosen),
    }


def turn_of(memory: Memory) -> str:
    """The turn that a memory was said in, as evidence names it."""
    return f"D{memory.origin.session}:{memory.origin.ordinal}"


def parsed(path: Path, data: bytes) -> list[dict[str, Any]]:
    """The conversations of LoCoMo's file."""
    try:
        samples = json.loads(data)
        samples[0]["conversation"], samples[0]["qa"]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not LoCoMo's file ({error!r})") from None
    return list(samples)


def conversation(sample: Mapping[str, Any]) -> Conversation:
    """What was said in one of them."""
    drafts = [
        _draft(sample, int(match.group(1)), turn)
        for name, turns in sample["conversation"].items()
        if (match := _SESSION.fullmatch(name))
        for turn in turns
    ]
    return Conversation(str(sample["sample_id"]), drafts)


def _draft(sample: Mapping[str, Any], session: int, turn: Mapping[str, Any]) -> dict[str, Any]:
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


def questions(sample: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], set[str]]]:
    """Its questions that have evidence, each with the turns that answer it."""
    for question in sample["qa"]:
        pairs = _EVIDENCE.findall(" ".join(map(str, question.get("evidence", []))))
        gold = {f"D{session}:{turn}" for session, turn in pairs}
        if gold:
            yield question, gold
