"""Follow-ups: messages that say little by themselves, with and without what came before."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.receipt import Receipt
from tacit.evals.corpus import Conversation, Progress, opened, read_bytes, sound
from tacit.evals.locomo import conversation, parsed, questions, turn_of
from tacit.evals.timing import mean

_PATIENCE_MS = 60_000


def evaluate_followups(path: Path | None, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Recall of the memories that a follow-up needs, injected with and without enrichment.

    With LoCoMo's file at hand its questions are asked one after the other as well, each with the
    two before it as history: what came before must not lead them astray.
    """
    written = (files("tacit.evals") / "sets" / "followups.json").read_bytes()
    scenarios = json.loads(written)["scenarios"]
    stores = opened(written, [_written(scenario) for scenario in scenarios], progress)
    recall: dict[bool, list[float]] = {True: [], False: []}
    for scenario, (_, tacit) in zip(scenarios, stores, strict=True):
        for followup in scenario["followups"]:
            for enriched in recall:
                recall[enriched].append(_recall(tacit, followup, enriched, settings))
        tacit.close()
    figures: dict[str, Any] = {
        "recall_enriched": mean(recall[True]),
        "recall_raw": mean(recall[False]),
        "followups": len(recall[True]),
    }
    return figures | (_locomo(path, progress, settings) if path is not None else {})


def _written(scenario: Mapping[str, Any]) -> Conversation:
    drafts = [
        {"content": each["text"], "type": each["type"], "metadata": {"name": each["id"]}}
        for each in scenario["memories"]
    ]
    return Conversation(scenario["name"], drafts, by="user")


def _recall(
    tacit: Tacit, followup: Mapping[str, Any], enriched: bool, settings: Mapping[str, Any]
) -> float:
    history = [{"role": role, "content": text} for role, text in followup["history"]]
    receipt = _preview(tacit, followup["text"], history, enriched, settings)
    shown = {tacit.get(each.memory).metadata["name"] for each in receipt.injected}
    return len(shown.intersection(followup["expected"])) / len(followup["expected"])


def _preview(
    tacit: Tacit,
    text: str,
    history: list[dict[str, str]],
    enriched: bool,
    settings: Mapping[str, Any],
) -> Receipt:
    prepared = tacit.preview(
        session="eval",
        text=text,
        history=history,
        context_aware_query=enriched,
        fact_limit=0,
        deadline_ms=_PATIENCE_MS,
        **settings,
    )
    return sound(prepared.receipt)


def _locomo(path: Path, progress: Progress, settings: Mapping[str, Any]) -> dict[str, Any]:
    data = read_bytes(path)
    samples = parsed(path, data)
    stores = opened(data, [conversation(sample) for sample in samples], progress)
    recall: dict[bool, list[float]] = {True: [], False: []}
    for sample, (_, tacit) in zip(samples, stores, strict=True):
        history: list[dict[str, str]] = []
        for question, gold in questions(sample):
            for enriched in recall:
                text = question["question"]
                receipt = _preview(tacit, text, history[-4:], enriched, settings)
                shown = {turn_of(tacit.get(each.memory)) for each in receipt.injected}
                recall[enriched].append(len(gold & shown) / len(gold))
            answer = str(question.get("answer", "I do not know."))
            history += [_said("user", question["question"]), _said("assistant", answer)]
        tacit.close()
    return {
        "locomo_recall_enriched": mean(recall[True]),
        "locomo_recall_raw": mean(recall[False]),
        "locomo_questions": len(recall[True]),
    }


def _said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
