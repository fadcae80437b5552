"""Grounding one message: what there is of each part is gathered, and put together."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from tacit.core.errors import TacitError
from tacit.grounding.assembly import Assembled, Parts, assemble
from tacit.grounding.chatlog import append, entries
from tacit.grounding.cue_file import cues_of
from tacit.grounding.documents.values import Excerpt
from tacit.grounding.entry import Kind
from tacit.grounding.gist import read, without_told, written
from tacit.grounding.grounded import Grounded, Metrics, sectioned
from tacit.grounding.ownership import claimed_log, log_of
from tacit.grounding.places import Place, Workspaces
from tacit.grounding.policy.composing import composed
from tacit.grounding.policy.finding import layers_of
from tacit.grounding.policy.role import PromptRole
from tacit.grounding.rolling import Rolled, summary_of
from tacit.grounding.section import Excerpted, Part
from tacit.grounding.spoken import SPEAKERS
from tacit.grounding.tail import messages_in, tail_of
from tacit.language.strategy import Strategy, StrategyChoice, choose_strategy
from tacit.language.summary.summarizer import Summarizer
from tacit.runtime.clock import Clock
from tacit.runtime.workers import Deadline
from tacit.settings.grounding import GroundingSettings

_log = logging.getLogger("tacit.grounding")

_RECENT = 6
_SECONDS_FOR_DOCUMENTS = 1.0
_ROLES = {Kind.INBOUND: "user", Kind.OUTBOUND: "assistant"}

Result = TypeVar("Result")


class Library(Protocol):
    """The documents of a workspace."""

    def excerpts(self, text: str, limit: int, max_bytes: int) -> Sequence[Excerpt]:
        """The passages that matter most for a text, best first, none of them out of date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What was said, where, and to whom it is answered."""

    text: str
    place: Place
    role: PromptRole = PromptRole.PUBLIC
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDraft:
    """A prompt without its memory block, which depends on what the prompt says already."""

    message: Message
    choice: StrategyChoice
    rolled: Rolled
    excerpts: Sequence[Excerpt]
    assembled: Assembled

    @property
    def conversation(self) -> tuple[Mapping[str, str], ...]:
        """The messages of the conversation that stand in it."""
        return messages_in(self.assembled.body(Part.TAIL))

    def with_memory(self, block: str) -> Assembled:
        """The whole prompt; the summary leaves to the block what both would say."""
        whole = self.assembled.with_body(Part.MEMORY, block)
        summed = self.assembled.body(Part.SUMMARY)
        if self.rolled.gist is None or not summed:
            return whole
        shown = read(summed)
        left = without_told(shown, block)
        return whole if left == shown else whole.with_body(Part.SUMMARY, written(left))


@dataclass(slots=True)
class Grounder:
    """Grounds the messages of one workspace; a part that fails is left out and named."""

    workspaces: Workspaces
    library: Library
    settings: GroundingSettings
    clock: Clock
    writer: Summarizer | None = None
    """Who writes summaries, if not the rules."""

    degraded: list[str] = field(default_factory=list)

    def recent(self, place: Place) -> list[Mapping[str, str]]:
        """The last messages of a conversation, to understand the next one by."""
        return self._tried("chat log", lambda: _recent(log_of(self.workspaces, place)), [])

    def draft(self, message: Message) -> PromptDraft:
        """All that a response to a message is grounded in, but for memory."""
        needs_consent = self.workspaces.needs_consent
        read_cues = partial(cues_of, self._folder(message), needs_consent=needs_consent)
        cues = self._tried("cues", read_cues, None)
        choice = (
            choose_strategy(message.text) if cues is None else choose_strategy(message.text, cues)
        )
        rolled, tail = self._talk(message.place, choice)
        excerpts = self._excerpts(message.text, choice)
        return PromptDraft(
            message=message,
            choice=choice,
            rolled=rolled,
            excerpts=excerpts,
            assembled=self._assembled(message, rolled, tail, excerpts),
        )

    def _assembled(
        self, message: Message, rolled: Rolled, tail: str, excerpts: Sequence[Excerpt]
    ) -> Assembled:
        """The parts within their budgets; the summary tells what the tail has no room for."""
        while True:
            assembled = assemble(
                Parts(
                    user=message.text,
                    summary=rolled.beside(messages_in(tail), self.settings),
                    tail=tail,
                    excerpts=tuple(map(_excerpted, excerpts)),
                    hint=message.hint,
                ),
                self.settings,
            )
            shown = assembled.body(Part.TAIL)
            if shown == tail:
                return assembled
            tail = shown  # shorter each time, so this ends

    def ground(self, draft: PromptDraft, block: str) -> Grounded:
        """The whole prompt, with what memory has to say to it."""
        message, choice, rolled = draft.message, draft.choice, draft.rolled
        assembled = draft.with_memory(block)
        system = self._tried("policy", lambda: self._policy(message), "")
        tokens = assembled.tokens()
        metrics = Metrics(
            strategy=str(choice.strategy),
            reason=choice.reason,
            used_summary=assembled.has(Part.SUMMARY),
            used_tail=assembled.has(Part.TAIL),
            used_qmd=assembled.has(Part.DOCUMENTS),
            qmd_results=len(draft.excerpts),
            summary_refreshed=rolled.is_current,
            summary_turns=rolled.turns,
            tokens=tokens,
            total_tokens=sum(tokens.values()),
        )
        _log.info("grounding: %s (%s)", metrics.strategy, metrics.reason, extra=metrics.to_dict())
        shown = assembled.body(Part.DOCUMENTS).split("\n")
        return Grounded(
            system=system,
            user=assembled.text,
            text=sectioned(system, assembled),
            metrics=metrics,
            sources=tuple(
                _where(each) for each in draft.excerpts if _excerpted(each).label in shown
            ),
            degraded=tuple(self.degraded),
        )

    def log(
        self, place: Place, said: Sequence[tuple[Kind, str]], blocks: Mapping[str, str]
    ) -> None:
        """Write down what was said, in its order, without these blocks, given by their ids."""
        path, now = claimed_log(self.workspaces, place), self.clock()
        for kind, text in said:
            if text.strip():
                append(path, kind, text, now, blocks)

    def refresh(self, place: Place) -> None:
        """Have the summary written if it is time, so that the next prompt need not wait for it."""
        log, summary = log_of(self.workspaces, place), self.workspaces.summary(place)
        work = partial(summary_of, log, summary, self.settings, self.clock(), self.writer)
        self._tried("summary", work, None)

    def _folder(self, message: Message) -> Path:
        return self.workspaces.folder(message.place.workspace)

    def _talk(self, place: Place, choice: StrategyChoice) -> tuple[Rolled, str]:
        """The summary and the tail; small talk needs neither."""
        nothing = Rolled(text="", turns=0, refreshed=False)
        if choice.is_small_talk:
            return nothing, ""
        log = log_of(self.workspaces, place)
        rolled = self._tried(
            "summary",
            lambda: summary_of(log, self.workspaces.summary(place), self.settings, self.clock()),
            nothing,
        )
        if rolled.trouble:
            self.degraded.append(f"summary: {rolled.trouble}")
        return rolled, self._tried("chat log", lambda: tail_of(log, self.settings), "")

    def _excerpts(self, text: str, choice: StrategyChoice) -> Sequence[Excerpt]:
        limit = self.settings.top_k
        if choice.strategy is not Strategy.QMD or not limit or not self.settings.qmd_max_tokens:
            return ()
        most = self.settings.max_doc_excerpt_bytes
        search = Deadline(_SECONDS_FOR_DOCUMENTS)
        return self._tried(
            "documents", lambda: search.run(lambda: self.library.excerpts(text, limit, most)), ()
        )

    def _policy(self, message: Message) -> str:
        layers = layers_of(self.workspaces, message.place, message.role)
        policy = composed(layers, self.settings.policy_max_tokens)
        self.degraded += policy.degraded
        return policy.text

    def _tried(self, what: str, work: Callable[[], Result], otherwise: Result) -> Result:
        """The work's result; a part that cannot be had is left out, and that is said."""
        try:
            return work()
        except TimeoutError:
            problem = f"{what}: late"
        except Exception as error:
            told = f" ({error})" if isinstance(error, TacitError | OSError) else ""
            problem = f"{what}: failed ({type(error).__name__}{told})"
        if problem not in self.degraded:
            self.degraded.append(problem)
            _log.warning("grounding degraded: %s", problem)
        return otherwise


def _recent(log: Path) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for entry in entries(log):
        if entry.kind in SPEAKERS:
            found.append({"role": _ROLES[entry.kind], "content": entry.text})
        if len(found) == _RECENT:
            break
    return found[::-1]


def _excerpted(excerpt: Excerpt) -> Excerpted:
    return Excerpted(source=excerpt.source, heading=excerpt.heading, text=excerpt.text)


def _where(excerpt: Excerpt) -> str:
    return f"{excerpt.source} › {excerpt.heading}" if excerpt.heading else excerpt.source
