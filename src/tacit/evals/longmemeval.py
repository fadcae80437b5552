"""LongMemEval: do the sessions that answer a question come back?"""

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.core.fields import MAX_CONTENT_BYTES
from tacit.evals.corpus import Conversation, Progress, opened, read_bytes
from tacit.evals.timing import Stopwatch, mean
from tacit.search.results import SearchResult
from tacit.settings.making import search_settings

_DEPTHS = (5, 10)
_HITS = 200
"""Sessions are counted in the order of their best hit, so more hits than sessions are asked for."""


def evaluate_longmemeval(path: Path, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Whether any and all of a question's sessions are among the first; abstentions left out."""
    data = read_bytes(path)
    questions = parsed(path, data)
    conversations = [conversation(question) for question in questions]
    chosen = search_settings({"max_results": _HITS, **settings})
    found: dict[str, list[float]] = defaultdict(list)
    by_type: dict[str, list[float]] = defaultdict(list)
    watch = Stopwatch()
    opened_ = opened(data, conversations, progress)
    for question, (_, tacit) in zip(questions, opened_, strict=True):
        result = watch.search(tacit, question["question"], **asdict(chosen))
        sessions = _sessions(result)
        gold = _gold(question)
        for depth in _DEPTHS:
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


def parsed(path: Path, data: bytes) -> list[dict[str, Any]]:
    """The questions of LongMemEval's file that have an answer."""
    try:
        unpacked = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        questions = json.loads(unpacked)
        questions[0]["haystack_sessions"], questions[0]["answer_session_ids"]
    except (ValueError, LookupError, TypeError, OSError, EOFError) as error:
        raise ArchiveError(f"{path}: is not LongMemEval's file ({error!r})") from None
    return [each for each in questions if not each["question_id"].endswith("_abs")]


def conversation(question: Mapping[str, Any]) -> Conversation:
    """Sessions are numbered: their own ids tell which hold the answer."""
    dates = question["haystack_dates"]
    drafts = [
        _draft(session, ordinal, turn, dates[session])
        for session, turns in enumerate(question["haystack_sessions"])
        for ordinal, turn in enumerate(turns)
        if turn["content"].strip()
    ]
    return Conversation(question["question_id"], drafts)


def _draft(session: int, ordinal: int, turn: Mapping[str, Any], date: str) -> dict[str, Any]:
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


def _sessions(result: SearchResult) -> list[int]:
    """Sessions in the order of their best hit."""
    return list(dict.fromkeys(int(hit.memory.origin.session or -1) for hit in result.hits))


def _gold(question: Mapping[str, Any]) -> set[int]:
    answers = set(question["answer_session_ids"])
    ids: Sequence[str] = question["haystack_session_ids"]
    return {number for number, id in enumerate(ids) if id in answers}
