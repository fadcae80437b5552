"""Which context a message needs: strategies, and follow-ups that say little by themselves."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.evals.benchmarks import locomo_conversation, locomo_questions, locomo_turn, parse_locomo
from tacit.evals.corpus import (
    BenchmarkConversation,
    Progress,
    SetHalf,
    load_entries,
    mean,
    open_conversations,
    preview_injected,
    ratio,
    read_benchmark,
    read_entries,
)
from tacit.language.strategy import Strategy, StrategyChoice, choose_strategy

# Follow-ups


def evaluate_followups(path: Path | None, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Recall of the memories that a follow-up needs, and the share of lines that it needs.

    Each is injected with and without enrichment. With LoCoMo's file at hand its questions are asked
    one after the other as well, each with the two before it as history: what came before must not
    lead them astray.
    """
    written = (files("tacit.evals") / "sets" / "followups.json").read_bytes()
    scenarios = json.loads(written)["scenarios"]
    stores = open_conversations(
        written, [_to_conversation(scenario) for scenario in scenarios], progress
    )
    results: dict[bool, list[_FollowupResult]] = {True: [], False: []}
    for scenario, (_, tacit) in zip(scenarios, stores, strict=True):
        for followup in scenario["followups"]:
            for enriched in results:
                results[enriched].append(_ask_followup(tacit, followup, enriched, settings))
        tacit.close()
    figures: dict[str, Any] = {**_followup_figures(results), "followups": len(results[True])}
    return figures | (
        _evaluate_locomo_followups(path, progress, settings) if path is not None else {}
    )


@dataclass(frozen=True, slots=True)
class _FollowupResult:
    """What a follow-up got: the share of what it needs, its lines, and those it needs."""

    recall: float
    lines: int
    needed: int


def _followup_figures(results: Mapping[bool, Sequence[_FollowupResult]]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for enriched, name in ((True, "enriched"), (False, "raw")):
        lines = [each.lines for each in results[enriched]]
        figures |= {
            f"recall_{name}": mean([each.recall for each in results[enriched]]),
            f"line_precision_{name}": ratio(
                sum(each.needed for each in results[enriched]), sum(lines)
            ),
            f"lines_{name}": mean(lines),
        }
    return figures


def _to_conversation(scenario: Mapping[str, Any]) -> BenchmarkConversation:
    drafts = [
        {"content": each["text"], "type": each["type"], "metadata": {"name": each["id"]}}
        for each in scenario["memories"]
    ]
    return BenchmarkConversation(scenario["name"], drafts, by="user")


def _ask_followup(
    tacit: Tacit, followup: Mapping[str, Any], enriched: bool, settings: Mapping[str, Any]
) -> _FollowupResult:
    history = [{"role": role, "content": text} for role, text in followup["history"]]
    lines, standing = preview_injected(
        tacit, followup["text"], history=history, context_aware_query=enriched, **settings
    )
    names = [tacit.get(id).metadata["name"] for id in lines + standing]
    needed = set(followup["expected"])
    return _FollowupResult(
        len(needed.intersection(names)) / len(needed),
        len(lines),
        sum(name in needed for name in names[: len(lines)]),
    )


def _evaluate_locomo_followups(
    path: Path, progress: Progress, settings: Mapping[str, Any]
) -> dict[str, Any]:
    data = read_benchmark(path)
    samples = parse_locomo(path, data)
    stores = open_conversations(data, [locomo_conversation(sample) for sample in samples], progress)
    recall: dict[bool, list[float]] = {True: [], False: []}
    for sample, (_, tacit) in zip(samples, stores, strict=True):
        history: list[dict[str, str]] = []
        for question, gold in locomo_questions(sample):
            for enriched in recall:
                lines, _ = preview_injected(
                    tacit,
                    question["question"],
                    history=history[-4:],
                    context_aware_query=enriched,
                    fact_limit=0,
                    **settings,
                )
                shown = {locomo_turn(tacit.get(id)) for id in lines}
                recall[enriched].append(len(gold & shown) / len(gold))
            answer = str(question.get("answer", "I do not know."))
            history += [_to_message("user", question["question"]), _to_message("assistant", answer)]
        tacit.close()
    return {
        "locomo_recall_enriched": mean(recall[True]),
        "locomo_recall_raw": mean(recall[False]),
        "locomo_questions": len(recall[True]),
    }


def _to_message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


# Strategy


def evaluate_strategy(path: Path | None, progress: Progress) -> dict[str, Any]:
    """The share of messages that get the strategy they need.

    For each strategy, `precision` is the share of its choices that are right, and `recall` the
    share of the messages that need it and get it.
    """
    messages = load_entries("strategy", SetHalf.HELD) if path is None else _parse_strategies(path)
    choices: list[StrategyChoice] = []
    for number, message in enumerate(messages, start=1):
        choices.append(choose_strategy(message["text"]))
        progress(number, len(messages))
    needed = [Strategy(message["strategy"]) for message in messages]
    chosen = [choice.strategy for choice in choices]
    pairs = list(zip(needed, chosen, strict=True))
    return {
        "accuracy": mean([float(need is got) for need, got in pairs]),
        "messages": len(messages),
        **{str(strategy): _figures(strategy, pairs) for strategy in Strategy},
        "failures": [
            f"{message['id']} needs {message['strategy']}, "
            f"got {choice.strategy} ({choice.reason}): {message['text']}"
            for message, choice in zip(messages, choices, strict=True)
            if choice.strategy != message["strategy"]
        ],
    }


def _figures(strategy: Strategy, pairs: Sequence[tuple[Strategy, Strategy]]) -> dict[str, float]:
    right = [float(need is got) for need, got in pairs if got is strategy]
    found = [float(need is got) for need, got in pairs if need is strategy]
    return {"precision": mean(right), "recall": mean(found), "messages": len(found)}


def _parse_strategies(path: Path) -> list[Mapping[str, Any]]:
    messages = read_entries(path)
    try:
        for message in messages:
            message["id"], message["text"], Strategy(message["strategy"])
    except (ValueError, LookupError, TypeError) as error:
        raise ArchiveError(f"{path}: is not a set of messages ({error!r})") from None
    return messages
