"""Abstention: prompts that memory has nothing to say to, and what keeping silent costs.

The curve over floors is drawn with LoCoMo's conversations, without facts and in empty sessions. The
figures by situation are those of default settings: stores of a person, small and large, with keys
and without, in a fresh session and in conversation.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.receipt import CandidateSource, Receipt
from tacit.evals.benchmarks import locomo_conversation, locomo_questions, locomo_turn, parse_locomo
from tacit.evals.corpus import (
    DEADLINE_MS,
    BenchmarkConversation,
    Progress,
    SetHalf,
    check_receipt,
    mean,
    open_conversations,
    ratio,
    read_benchmark,
)
from tacit.evals.injection import Conversation, Keys, Situation, load_stores, play, to_draft
from tacit.settings.injection import InjectionSettings

FLOORS = tuple(round(0.05 * step, 2) for step in range(20))
"""The floors that the curve is drawn for."""

PROMPTS_PER_GROUP = 120
"""How many prompts of a group, and questions, are asked in each situation, over all stores."""

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
    path: Path,
    progress: Progress,
    *,
    notinject: Path | None = None,
    prompts_per_group: int = PROMPTS_PER_GROUP,
    **settings: Any,
) -> dict[str, Any]:
    """The share of prompts that get any memory, by group: at each floor, and in each situation."""
    data = read_benchmark(path)
    samples = parse_locomo(path, data)
    given = _load_prompts(notinject)
    cases = _make_cases(samples, given, prompts_per_group)
    situations = _evaluate_situations(data, cases, progress, settings)
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
        "situations": situations,
        "curve": [_point(prompts, asked, floor) for floor in FLOORS],
    }


def _preview(tacit: Tacit, text: str, settings: Mapping[str, Any]) -> Receipt:
    """A turn in a session of its own."""
    prepared = tacit.preview(
        session="eval", text=text, fact_limit=0, deadline_ms=DEADLINE_MS, **settings
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
    return ratio(sum(kept), sum(answer.recall for answer in answers))


def _point(
    prompts: Mapping[str, Sequence[_PromptResult]], asked: Sequence[_PromptResult], floor: float
) -> dict[str, float]:
    groups = {group: _injected_share(prompts[group], floor) for group in sorted(prompts)}
    return {"floor": floor, "recall_kept": _kept_share(asked, floor), **groups}


# By situation


_Entry = TypeVar("_Entry")


class StoreSize(StrEnum):
    """A person's memories alone, and the same among the turns of a LoCoMo conversation."""

    SMALL = "small"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class _Case:
    """A person's store, the conversation that makes it large, and what is asked of it."""

    store: Mapping[str, Any]
    sample: Mapping[str, Any]
    prompts: Sequence[_AbstentionPrompt]
    questions: Sequence[Mapping[str, Any]]

    def to_conversation(self, size: StoreSize, keys: Keys) -> BenchmarkConversation:
        drafts = [to_draft(memory, keys) for memory in self.store["memories"]]
        if size is StoreSize.LARGE:
            said = locomo_conversation(self.sample).drafts
            drafts += [{**draft, "key": None, "metadata": {"n": 0}} for draft in said]
        return BenchmarkConversation(f"{self.store['id']}-{size}-{keys}", drafts, by="user")


def _make_cases(
    samples: Sequence[Mapping[str, Any]], given: Sequence[_AbstentionPrompt], limit: int
) -> list[_Case]:
    """The stores of our own; a prompt is asked of one of them, up to a limit for each group."""
    stores = load_stores(SetHalf.HELD)
    share = -(-limit // len(stores))
    cases = []
    for number, store in enumerate(stores):
        place = number % len(samples)
        foreign = [each for each in _foreign_prompts(samples, place) if each.group == "foreign"]
        prompts = [
            prompt
            for group in (*_by_group(given[number :: len(stores)]), foreign)
            for prompt in _spread(group, share)
        ]
        cases.append(_Case(store, samples[place], prompts, _spread(store["questions"], share)))
    return cases


def _by_group(prompts: Sequence[_AbstentionPrompt]) -> list[list[_AbstentionPrompt]]:
    groups: dict[str, list[_AbstentionPrompt]] = defaultdict(list)
    for prompt in prompts:
        groups[prompt.group].append(prompt)
    return list(groups.values())


def _spread(entries: Sequence[_Entry], limit: int) -> Sequence[_Entry]:
    """As many of the entries as the limit says, from all over the list."""
    return entries[:: max(1, -(-len(entries) // limit))]


def _evaluate_situations(
    data: bytes, cases: Sequence[_Case], progress: Progress, settings: Mapping[str, Any]
) -> dict[str, dict[str, float]]:
    """False injection by group, and the recall of questions."""
    content = data + json.dumps([case.store for case in cases]).encode()
    figures: dict[str, dict[str, float]] = {}
    for size in StoreSize:
        for keys in Keys:
            found: dict[Situation, dict[str, list[float]]] = {
                situation: defaultdict(list) for situation in Situation
            }
            written = [case.to_conversation(size, keys) for case in cases]
            opened = open_conversations(content, written, progress)
            for case, (_, tacit) in zip(cases, opened, strict=True):
                for situation in Situation:
                    _ask_case(tacit, case, situation, found[situation], settings)
                tacit.close()
            for situation, values in found.items():
                averages = {measure: mean(each) for measure, each in values.items()}
                figures[f"{size}, {keys}, {situation}"] = averages
    return figures


def _ask_case(
    tacit: Tacit,
    case: _Case,
    situation: Situation,
    found: dict[str, list[float]],
    settings: Mapping[str, Any],
) -> None:
    conversation = _begin(tacit, case, situation)
    for prompt in case.prompts:
        lines, _ = conversation.ask(tacit, prompt.text, **settings)
        found[f"false_injection_{prompt.group}"].append(float(bool(lines)))
    for question in case.questions:
        lines, standing = conversation.ask(tacit, question["text"], **settings)
        shown = {tacit.get(id).metadata["n"] for id in (*lines, *standing, *conversation.shown)}
        found["recall"].append(float(not shown.isdisjoint(question["right"])))
        found["lines"].append(len(lines))


def _begin(tacit: Tacit, case: _Case, situation: Situation) -> Conversation:
    """A fresh session, or one after an exchange on something remembered, without earlier runs."""
    if situation is Situation.FRESH:
        return Conversation("fresh")
    tacit.memories.erase_session("opened")
    return play(tacit, "opened", case.store["openers"][:1])


# Prompts


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
