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
from tacit.evals.benchmarks import locomo_conversation, locomo_questions, locomo_turn, parse_locomo
from tacit.evals.corpus import Progress, check_receipt, mean, open_conversations, read_benchmark
from tacit.settings.injection import InjectionSettings

FLOORS = tuple(round(0.05 * step, 2) for step in range(20))
"""The floors that the curve is drawn for."""

_DEADLINE_MS = 60_000
_NO_FLOOR = {"contextual_min_score": 0.0}


@dataclass(frozen=True, slots=True)
class _AbstentionPrompt:
    """A prompt to which the store has nothing relevant."""

    group: str
    text: str


@dataclass(frozen=True, slots=True)
class _PromptResult:
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
    data = read_benchmark(path)
    samples = parse_locomo(path, data)
    given = _load_prompts(notinject)
    stores = open_conversations(data, [locomo_conversation(sample) for sample in samples], progress)
    prompts: dict[str, list[_PromptResult]] = defaultdict(list)
    asked: list[_PromptResult] = []
    for number, (_, tacit) in enumerate(stores):
        for prompt in (*given, *_foreign_prompts(samples, number)):
            receipt = _preview(tacit, prompt.text, {**settings, **_NO_FLOOR})
            prompts[prompt.group].append(_PromptResult(_best(receipt)))
        for question, gold in locomo_questions(samples[number]):
            asked.append(_ask(tacit, question["question"], gold, settings))
        tacit.close()
    floor = settings.get("contextual_min_score", InjectionSettings().contextual_min_score)
    return {
        "false_injection": {
            group: _injected_share(prompts[group], floor) for group in sorted(prompts)
        },
        "recall_kept": _ratio([each.kept for each in asked], asked),
        "floor": floor,
        "prompts": {group: len(prompts[group]) for group in sorted(prompts)},
        "questions": len(asked),
        "curve": [_point(prompts, asked, floor) for floor in FLOORS],
    }


def _preview(tacit: Tacit, text: str, settings: Mapping[str, Any]) -> Receipt:
    """A turn in a session of its own."""
    prepared = tacit.preview(
        session="eval", text=text, fact_limit=0, deadline_ms=_DEADLINE_MS, **settings
    )
    return check_receipt(prepared.receipt)


def _best(receipt: Receipt) -> float:
    """What the best hit is worth; a skipped prompt has none."""
    hits = [
        each.relevance for each in receipt.candidates if each.found is CandidateSource.CONTEXTUAL
    ]
    return max(hits, default=0.0)


def _ask(tacit: Tacit, text: str, gold: set[str], settings: Mapping[str, Any]) -> _PromptResult:
    free = _preview(tacit, text, {**settings, **_NO_FLOOR})
    real = _preview(tacit, text, settings)
    return _PromptResult(_best(free), _recall(tacit, free, gold), _recall(tacit, real, gold))


def _recall(tacit: Tacit, receipt: Receipt, gold: set[str]) -> float:
    shown = {locomo_turn(tacit.get(each.memory)) for each in receipt.injected}
    return len(gold & shown) / len(gold)


def _injected_share(answers: Sequence[_PromptResult], floor: float) -> float:
    return mean([float(0 < answer.relevance >= floor) for answer in answers])


def _kept_share(answers: Sequence[_PromptResult], floor: float) -> float:
    """What a gate at this floor keeps, for the curve: hits that fall behind are not reckoned."""
    return _ratio([each.recall for each in answers if each.relevance >= floor], answers)


def _ratio(kept: Sequence[float], answers: Sequence[_PromptResult]) -> float:
    """The share of what is recalled without a floor that is still recalled with one."""
    whole = sum(answer.recall for answer in answers)
    return round(sum(kept) / whole, 4) if whole else 0.0


def _point(
    prompts: Mapping[str, Sequence[_PromptResult]], asked: Sequence[_PromptResult], floor: float
) -> dict[str, float]:
    groups = {group: _injected_share(prompts[group], floor) for group in sorted(prompts)}
    return {"floor": floor, "recall_kept": _kept_share(asked, floor), **groups}


def _load_prompts(notinject: Path | None) -> list[_AbstentionPrompt]:
    """Prompts that are asked of every conversation."""
    found = [_AbstentionPrompt("small_talk", line) for line in _lines("small_talk.txt")]
    found += [
        _AbstentionPrompt("general_knowledge", line) for line in _lines("general_knowledge.txt")
    ]
    if notinject is not None:
        found += [_AbstentionPrompt("notinject", prompt) for prompt in _notinject(notinject)]
    return found


def _lines(name: str) -> list[str]:
    text = (files("tacit.evals") / "sets" / name).read_text("utf-8")
    return [line for line in text.splitlines() if line.strip()]


def _notinject(path: Path) -> list[str]:
    try:
        return [str(row["prompt"]) for row in json.loads(read_benchmark(path))]
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not NotInject's file ({error!r})") from None


def _foreign_prompts(
    samples: Sequence[Mapping[str, Any]], number: int
) -> Iterator[_AbstentionPrompt]:
    """The questions of the next conversation, as they are and with this one's names in them."""
    other = samples[(number + 1) % len(samples)]
    if len(samples) < 2:
        return
    names = list(zip(_speakers(other), _speakers(samples[number]), strict=True))
    for question, _ in locomo_questions(other):
        text = question["question"]
        yield _AbstentionPrompt("foreign", text)
        renamed = _rename_speakers(text, names)
        if renamed != text:
            yield _AbstentionPrompt("foreign_renamed", renamed)


def _speakers(sample: Mapping[str, Any]) -> tuple[str, str]:
    return sample["conversation"]["speaker_a"], sample["conversation"]["speaker_b"]


def _rename_speakers(text: str, names: Sequence[tuple[str, str]]) -> str:
    new = dict(names)
    pattern = "|".join(re.escape(name) for name in new)
    return re.sub(rf"\b({pattern})\b", lambda match: new[match.group()], text)
