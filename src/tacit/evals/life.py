"""Lives: people talk, Tacit learns, and months later somebody asks; is the right memory shown?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.embedding.embedder import Embedder
from tacit.evals.corpus import Progress, caching_embedder
from tacit.evals.life_player import (
    PlayedLife,
    Watch,
    ask_questions,
    find_shown,
    open_life,
    play_life,
)
from tacit.evals.life_scores import QuestionScore, score_question, sum_up
from tacit.evals.lives import TOGETHER, Life, read_lives


def evaluate_life(
    paths: Sequence[Path] | None,
    progress: Progress,
    person: Sequence[str] = (),
    deadline: int | None = None,
    *,
    with_model: bool = False,
) -> dict[str, Any]:
    """What previews show of lives that were played in stores of their own, by person.

    Without files it is the people in `tools/people` of the checkout. `person` names some of them. A
    deadline, in milliseconds, is that of questions; how many were late is counted. `with_model` the
    language model of the settings learns as well.
    """
    lives = read_lives(paths or find_own_people(), person)
    total = sum(life.message_count + len(life.questions) for life in lives)
    done = 0

    def watch() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    embedder = caching_embedder(is_repeatable=True)
    figures: dict[str, dict[str, Any]] = {}
    scores: list[QuestionScore] = []
    played: list[PlayedLife] = []
    for life in lives:
        store, own = _live_through(life, embedder, watch, deadline, with_model=with_model)
        figures[life.id] = sum_up(own) | _sum_up_played([store], with_model=with_model)
        scores += own
        played.append(store)
    if len(lives) > 1:
        figures[TOGETHER] = sum_up(scores) | _sum_up_played(played, with_model=with_model)
    return {
        "people": figures,
        "questions": [score.to_dict() for score in scores],
        "failures": [score.describe() for score in scores if score.failure is not None],
    }


def find_own_people() -> list[Path]:
    """The files in `tools/people` of the checkout that this package stands in."""
    package = Path(__file__).resolve().parents[1]
    folder = package.parents[1] / "tools" / "people"
    found = sorted(folder.glob("*.json")) if package.parent.name == "src" else []
    if not found:
        problem = "name a file of lives; tools/people in Tacit's repository has some"
        raise InvalidInput("--data", problem)
    return found


def _live_through(
    life: Life,
    embedder: Embedder | str,
    watch: Watch,
    deadline: int | None,
    *,
    with_model: bool,
) -> tuple[PlayedLife, list[QuestionScore]]:
    scores = []
    with open_life(life, embedder=embedder, with_model=with_model) as (tacit, clock):
        played = play_life(tacit, life, clock, watch, with_model=with_model)
        for asked in ask_questions(tacit, life, clock, deadline_ms=deadline):
            shown = find_shown(tacit, life, asked)
            scores.append(score_question(life, asked.question, shown))
            watch()
    return played, scores


def _sum_up_played(played: Sequence[PlayedLife], *, with_model: bool) -> dict[str, int]:
    figures = {
        "messages": sum(each.messages for each in played),
        "statements_found": sum(each.statements for each in played),
    }
    if with_model:
        figures["unread_by_model"] = sum(each.unread for each in played)
        figures["model_tokens"] = sum(each.tokens for each in played)
    return figures
