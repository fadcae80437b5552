"""Teaching: the student reads translations as the teacher reads the English sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import torch
from tools.languages.batches import QuestionBatch, TextBatch
from tools.languages.network import Reader, Student, TextReading
from torch import nn
from torch.nn import functional

_WARM_UP_STEPS = 300
_LEAST_RATE = 0.02
_LONGEST_GRADIENT = 1.0
_REPORT_STEPS = 200
_COMPARED_TOKENS = 8_000
"""So many tokens of a batch are compared with each other, padding included."""

_NEAR_DUPLICATES = 0.9
"""Texts of a batch that are as alike as this are not told apart."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how much of what is learned."""

    seconds: float = 420
    layer_rate: float = 5e-4
    row_rate: float = 2e-3
    translation: float = 1.0
    english: float = 1.5
    english_tokens: float = 2.0
    contrast: float = 0.05
    matches: float = 4.0
    """Of the scores between texts, token by token."""
    diagonal: float = 0.2
    """Of the score of a translation and its own English."""
    questions: float = 1.0
    question_contrast: float = 0.05
    question_steps: int = 3
    """Every so many steps questions are read too."""
    temperature: float = 0.05
    seed: int = 1


class Trainer:
    """Changes the student step by step."""

    def __init__(self, teacher: Reader, student: Student, plan: Plan) -> None:
        self._teacher = teacher.eval()
        self._student = student.eval()  # nothing is dropped
        self._plan = plan
        self._optimizer = torch.optim.AdamW(
            [
                {"params": student.layers, "lr": plan.layer_rate},
                {"params": [student.table], "lr": plan.row_rate},
            ],
            weight_decay=0.0,
            fused=True,
        )
        self._rates = (plan.layer_rate, plan.row_rate)

    def train(
        self,
        texts: Callable[[], TextBatch],
        questions: Callable[[], QuestionBatch],
        report: Callable[[str], None],
    ) -> None:
        """Take steps until the time of the plan is over; the rate falls until then."""
        began, step, plan = monotonic(), 0, self._plan
        while (spent := (monotonic() - began) / plan.seconds) < 1:
            step += 1
            falls = _LEAST_RATE + (1 - _LEAST_RATE) * 0.5 * (
                1 + torch.cos(torch.tensor(torch.pi * spent)).item()
            )
            for group, rate in zip(self._optimizer.param_groups, self._rates, strict=True):
                group["lr"] = rate * min(1, step / _WARM_UP_STEPS) * falls
            losses = self._find_text_losses(texts())
            if step % plan.question_steps == 0 and plan.questions:
                losses |= self._find_question_losses(questions())
            self._optimizer.zero_grad()
            torch.autograd.backward(torch.stack(list(losses.values())).sum())
            nn.utils.clip_grad_norm_(
                [*self._student.layers, self._student.table], _LONGEST_GRADIENT
            )
            self._optimizer.step()
            if step % _REPORT_STEPS == 0:
                shown = ", ".join(f"{name} {each.item():.4f}" for name, each in losses.items())
                report(f"step {step}, {spent:.0%} of the time: {shown}")

    def _find_text_losses(self, batch: TextBatch) -> dict[str, torch.Tensor]:
        plan = self._plan
        with torch.no_grad():
            taught = self._teacher.read(batch.teacher)
        foreign, english = self._student.read(batch.student), self._student.read(batch.english)
        is_same = (batch.english == batch.teacher).all(1).to(foreign.vectors.device)
        rows = slice(0, max(8, _COMPARED_TOKENS // batch.student.shape[1]))
        few = foreign.part(rows), english.part(rows), taught.part(rows)
        return {
            "translation": plan.translation * _distance(foreign.vectors, taught.vectors),
            "english": plan.english * _distance(english.vectors, taught.vectors),
            "contrast": plan.contrast * self._contrast(foreign.vectors, taught.vectors),
            "tokens": plan.english_tokens * _token_distance(english, taught, is_same),
            **self._compare_matches(*few),
        }

    def _contrast(self, foreign: torch.Tensor, taught: torch.Tensor) -> torch.Tensor:
        """Each translation is nearest to its own English, of all that differ from it."""
        scores = foreign @ taught.T / self._plan.temperature
        alike = taught @ taught.T > _NEAR_DUPLICATES
        alike.fill_diagonal_(False)
        own = torch.arange(len(scores), device=scores.device)
        return functional.cross_entropy(scores.masked_fill(alike, -1e4), own)

    def _compare_matches(
        self, foreign: TextReading, english: TextReading, taught: TextReading
    ) -> dict[str, torch.Tensor]:
        """Texts match each other, token by token, as their English does."""
        goal = match_tokens(taught, taught)
        apart = ~torch.eye(len(goal), dtype=torch.bool, device=goal.device)
        across = match_tokens(foreign, english), match_tokens(english, foreign)
        found = (*across, match_tokens(foreign, foreign))
        off = torch.stack([((each - goal) ** 2)[apart].mean() for each in found]).mean()
        own = torch.stack([((1 - each.diagonal()) ** 2).mean() for each in across]).mean()
        return {"matches": self._plan.matches * off, "diagonal": self._plan.diagonal * own}

    def _find_question_losses(self, batch: QuestionBatch) -> dict[str, torch.Tensor]:
        plan = self._plan
        with torch.no_grad():
            goal = match_tokens(
                self._teacher.read(batch.teacher_questions),
                self._teacher.read(batch.teacher_messages),
            )
        asked, told = self._student.read(batch.questions), self._student.read(batch.messages)
        found = match_tokens(asked, told)
        foreign = batch.is_foreign.to(found.device)
        own = torch.arange(len(found), device=found.device)
        by_token = functional.cross_entropy(found[foreign] / plan.temperature, own[foreign])
        by_vector = functional.cross_entropy(
            (asked.vectors @ told.vectors.T)[foreign] / plan.temperature, own[foreign]
        )
        return {
            "questions": plan.questions * plan.matches * ((found - goal) ** 2).mean(),
            "answers": plan.questions * plan.question_contrast * (by_token + by_vector),
        }


def match_tokens(asked: TextReading, told: TextReading) -> torch.Tensor:
    """How well each text matches each other: for each token the most alike, on average."""
    with torch.autocast("cuda", torch.bfloat16, enabled=asked.tokens.is_cuda):
        alike = torch.einsum("qad,tbd->qatb", asked.tokens, told.tokens)
    no_token = (~told.is_token).to(alike.dtype) * -2
    best = (alike + no_token[None, None]).amax(3).float() * asked.is_token[:, :, None]
    return best.sum(1) / asked.is_token.sum(1).clamp(min=1)[:, None]


def _distance(found: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    return ((found - goal) ** 2).sum(1).mean()


def _token_distance(found: TextReading, goal: TextReading, rows: torch.Tensor) -> torch.Tensor:
    """How far the tokens are, beside the length of the goal's."""
    is_compared = goal.is_token & rows[:, None]
    off = ((found.states.float() - goal.states.float()) ** 2).sum(2)
    length = (goal.states.float() ** 2).sum(2)
    compared: torch.Tensor = (off / length.clamp(min=1e-6))[is_compared]
    return compared.mean() if len(compared) else off.sum() * 0
