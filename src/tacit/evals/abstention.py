"""Abstention: prompts that memory has nothing to say to, and what keeping silent costs."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.receipt import CandidateSource, Receipt
from tacit.evals.corpus import Progress, opened, read_bytes, sound
from tacit.evals.locomo import conversation, parsed, questions, turn_of
from tacit.evals.timing import mean
from tacit.settings.injection import InjectionSettings

FLOORS = tuple(round(0.05 * step, 2) for step in range(20))
"""The floors that the curve is drawn for."""

_PATIENCE_MS = 60_000
_NO_FLOOR = {"contextual_min_score": 0.0}


@dataclass(frozen=True, slots=True)
class _Prompt:
    """Something said to a store that has nothing to say to it."""

    group: str
    text: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came of a prompt: what the best hit was worth, and the share of evidence injected.

    `recall` is without any floor, `kept` with the one that is measured.
    """

    relevance: float
    recall: float = 0.0
    kept: float = 0.0


def evaluate_abstention(
    path: Path, progress: Progress, *, notinject: Path | None = None, **settings: Any
) -> dict[str, Any]:
    """The share of prompts that get any contextual memory, by group, at the default floor."""
    data = read_bytes(path)
    samples = parsed(path, data)
    given = _given(notinject)
    stores = opened(data, [conversation(sample) for sample in samples], progress)
    prompts: dict[str, list[_Answer]] = defaultdict(list)
    asked: list[_Answer] = []
    for number, (_, tacit) in enumerate(stores):
        for prompt in (*given, *_foreign(samples, number)):
            receipt = _preview(tacit, prompt.text, {**settings, **_NO_FLOOR})
            prompts[prompt.group].append(_Answer(_best(receipt)))
        for question, gold in questions(samples[number]):
            asked.append(_asked(tacit, question["question"], gold, settings))
        tacit.close()
    floor = settings.get("contextual_min_score", InjectionSettings().contextual_min_score)
    return {
        "false_injection": {group: _injected(prompts[group], floor) for group in sorted(prompts)},
        "recall_kept": _ratio([each.kept for each in asked], asked),
        "floor": floor,
        "prompts": {group: len(prompts[group]) for group in sorted(prompts)},
        "questions": len(asked),
        "curve": [_point(prompts, asked, floor) for floor in FLOORS],
    }


def _preview(tacit: Tacit, text: str, settings: Mapping[str, Any]) -> Receipt:
    """A turn in a session of its own."""
    prepared = tacit.preview(
        session="eval", text=text, fact_limit=0, deadline_ms=_PATIENCE_MS, **settings
    )
    return sound(prepared.receipt)


def _best(receipt: Receipt) -> float:
    """What the best hit is worth; a skipped prompt has none."""
    hits = [
        each.relevance for each in receipt.candidates if each.found is CandidateSource.CONTEXTUAL
    ]
    return max(hits, default=0.0)


def _asked(tacit: Tacit, text: str, gold: set[str], settings: Mapping[str, Any]) -> _Answer:
    free = _preview(tacit, text, {**settings, **_NO_FLOOR})
    real = _preview(tacit, text, settings)
    return _Answer(_best(free), _recall(tacit, free, gold), _recall(tacit, real, gold))


def _recall(tacit: Tacit, receipt: Receipt, gold: set[str]) -> float:
    shown = {turn_of(tacit.get(each.memory)) for each in receipt.injected}
    return len(gold & shown) / len(gold)


def _injected(answers: Sequence[_Answer], floor: float) -> float:
    return mean([float(0 < answer.relevance >= floor) for answer in answers])


def _kept(answers: Sequence[_Answer], floor: float) -> float:
    """What a gate at this floor keeps, for the curve: hits that fall behind are not reckoned."""
    return _ratio([each.recall for each in answers if each.relevance >= floor], answers)


def _ratio(kept: Sequence[float], answers: Sequence[_Answer]) -> float:
    """The share of what is recalled without a floor that is still recalled with one."""
    whole = sum(answer.recall for answer in answers)
    return round(sum(kept) / whole, 4) if whole else 0.0


def _point(
    prompts: Mapping[str, Sequence[_Answer]], asked: Sequence[_Answer], floor: float
) -> dict[str, float]:
    groups = {group: _injected(prompts[group], floor) for group in sorted(prompts)}
    return {"floor": floor, "recall_kept": _kept(asked, floor), **groups}


def _given(notinject: Path | None) -> list[_Prompt]:
    """Prompts that are asked of every conversation."""
    found = [_Prompt("small_talk", line) for line in _lines("small_talk.txt")]
    found += [_Prompt("general_knowledge", line) for line in _lines("general_knowledge.txt")]
    if notinject is not None:
        found += [_Prompt("notinject", prompt) for prompt in _notinject(notinject)]
    return found


def _lines(name: str) -> list[str]:
    text = (files("tacit.evals") / "sets" / name).read_text("utf-8")
    return [line for line in text.splitlines() if line.strip()]


def _notinject(path: Path) -> list[str]:
    try:
        return [str(row["prompt"]) for row in json.loads(read_bytes(path))]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not NotInject's file ({error!r})") from None


def _foreign(samples: Sequence[Mapping[str, Any]], number: int) -> Iterator[_Prompt]:
    """The questions of the next conversation, as they are and with this one's names in them."""
    other = samples[(number + 1) % len(samples)]
    if len(samples) < 2:
        return
    names = list(zip(_speakers(other), _speakers(samples[number]), strict=True))
    for question, _ in questions(other):
        text = question["question"]
        yield _Prompt("foreign", text)
        renamed = _renamed(text, names)
        if renamed != text:
            yield _Prompt("foreign_renamed", renamed)


def _speakers(sample: Mapping[str, Any]) -> tuple[str, str]:
    return sample["conversation"]["speaker_a"], sample["conversation"]["speaker_b"]


def _renamed(text: str, names: Sequence[tuple[str, str]]) -> str:
    new = dict(names)
    pattern = "|".join(re.escape(name) for name in new)
    return re.sub(rf"\b({pattern})\b", lambda match: new[match.group()], text)
