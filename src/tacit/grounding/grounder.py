"""The grounder: gathers the parts of a prompt for one message and assembles them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from tacit.core.errors import ChatLogUnavailable, TacitError
from tacit.grounding.chat_log import (
    SPEAKERS,
    EntryKind,
    append_entry,
    build_tail,
    iter_entries,
    parse_tail,
)
from tacit.grounding.documents.results import DocumentExcerpt
from tacit.grounding.file_layout import (
    ConversationAddress,
    WorkspaceRoot,
    claim_log,
    find_log,
    load_cues,
)
from tacit.grounding.gist import format_gist, parse_gist, remove_told
from tacit.grounding.grounded import GroundedPrompt, GroundingMetrics, format_sections
from tacit.grounding.policy import PromptRole, compose_policy
from tacit.grounding.policy_files import load_layers
from tacit.grounding.prompt import (
    AssembledPrompt,
    PromptExcerpt,
    PromptInput,
    PromptPart,
    assemble_prompt,
)
from tacit.grounding.rolling_summary import RollingSummary, load_summary
from tacit.language.strategy import Strategy, StrategyChoice, choose_strategy
from tacit.runtime.clock import Clock
from tacit.runtime.workers import Deadline
from tacit.settings.grounding import GroundingSettings
from tacit.turn.summarizer import Summarizer

_log = logging.getLogger("tacit.grounding")

_RECENT = 6
_SECONDS_FOR_DOCUMENTS = 1.0
_ROLES = {EntryKind.INBOUND: "user", EntryKind.OUTBOUND: "assistant"}

Result = TypeVar("Result")


class DocumentLibrary(Protocol):
    """The documents of a workspace."""

    def excerpts(self, text: str, limit: int, max_bytes: int) -> Sequence[DocumentExcerpt]:
        """The most relevant passages for a text, best first, none of them out of date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundingRequest:
    """A message, where it was said, and the role that is answered."""

    text: str
    place: ConversationAddress
    role: PromptRole = PromptRole.PUBLIC
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDraft:
    """A prompt without its memory block, which depends on the rest of the prompt."""

    message: GroundingRequest
    system: str
    choice: StrategyChoice
    rolled: RollingSummary
    excerpts: Sequence[DocumentExcerpt]
    assembled: AssembledPrompt

    @property
    def conversation(self) -> tuple[Mapping[str, str], ...]:
        """The messages of the conversation that are in it."""
        return parse_tail(self.assembled.body(PromptPart.TAIL))

    def with_memory(self, block: str) -> AssembledPrompt:
        """The whole prompt; the summary omits what the memory block says too."""
        whole = self.assembled.with_body(PromptPart.MEMORY, block)
        summed = self.assembled.body(PromptPart.SUMMARY)
        if self.rolled.gist is None or not summed:
            return whole
        shown = parse_gist(summed)
        left = remove_told(shown, block)
        return whole if left == shown else whole.with_body(PromptPart.SUMMARY, format_gist(left))


@dataclass(slots=True)
class Grounder:
    """Grounds the messages of one workspace; a part that fails is left out and named."""

    workspaces: WorkspaceRoot
    library: DocumentLibrary
    settings: GroundingSettings
    clock: Clock
    writer: Summarizer | None = None
    """Writes summaries; None if the rules do."""

    degraded: list[str] = field(default_factory=list)

    def recent(self, place: ConversationAddress) -> list[Mapping[str, str]]:
        """The last messages of a conversation, as context for the next one."""
        return self._try_part(
            "chat log", lambda: _recent_messages(find_log(self.workspaces, place)), []
        )

    def draft(self, message: GroundingRequest) -> PromptDraft:
        """Gather everything that a response is grounded in, except memory."""
        needs_consent = self.workspaces.needs_consent
        read_cues = partial(load_cues, self._folder(message), needs_consent=needs_consent)
        cues = self._try_part("cues", read_cues, None)
        choice = (
            choose_strategy(message.text) if cues is None else choose_strategy(message.text, cues)
        )
        rolled, tail = self._load_conversation(message.place, choice)
        excerpts = self._find_excerpts(message.text, choice)
        return PromptDraft(
            message=message,
            system=self._try_part("policy", lambda: self._compose_policy(message), ""),
            choice=choice,
            rolled=rolled,
            excerpts=excerpts,
            assembled=self._assemble(message, rolled, tail, excerpts),
        )

    def _assemble(
        self,
        message: GroundingRequest,
        rolled: RollingSummary,
        tail: str,
        excerpts: Sequence[DocumentExcerpt],
    ) -> AssembledPrompt:
        """Fit the parts into their budgets; the summary covers what the tail has no room for."""
        while True:
            assembled = assemble_prompt(
                PromptInput(
                    user=message.text,
                    summary=rolled.beside(parse_tail(tail), self.settings),
                    tail=tail,
                    excerpts=tuple(map(_to_prompt_excerpt, excerpts)),
                    hint=message.hint,
                ),
                self.settings,
            )
            shown = assembled.body(PromptPart.TAIL)
            if shown == tail:
                return assembled
            tail = shown  # shorter each time, so this ends

    def ground(self, draft: PromptDraft, block: str) -> GroundedPrompt:
        """Complete the prompt with the memory block."""
        system, choice, rolled = draft.system, draft.choice, draft.rolled
        assembled = draft.with_memory(block)
        tokens = assembled.tokens()
        metrics = GroundingMetrics(
            strategy=str(choice.strategy),
            reason=choice.reason,
            used_summary=assembled.has(PromptPart.SUMMARY),
            used_tail=assembled.has(PromptPart.TAIL),
            used_qmd=assembled.has(PromptPart.DOCUMENTS),
            qmd_results=len(draft.excerpts),
            summary_refreshed=rolled.is_current,
            summary_turns=rolled.turns,
            tokens=tokens,
            total_tokens=sum(tokens.values()),
        )
        _log.info("grounding: %s (%s)", metrics.strategy, metrics.reason, extra=metrics.to_dict())
        shown = assembled.body(PromptPart.DOCUMENTS).split("\n")
        return GroundedPrompt(
            system=system,
            user=assembled.text,
            text=format_sections(system, assembled),
            metrics=metrics,
            sources=tuple(
                _source_of(each)
                for each in draft.excerpts
                if _to_prompt_excerpt(each).label in shown
            ),
            degraded=tuple(self.degraded),
        )

    def log(
        self,
        place: ConversationAddress,
        said: Sequence[tuple[EntryKind, str]],
        blocks: Mapping[str, str],
    ) -> None:
        """Append messages to the chat log in order, without these blocks, given by id."""
        path, now = self.workspaces.log(place), self.clock()
        try:
            path = claim_log(self.workspaces, place)
            for kind, text in said:
                if text.strip():
                    append_entry(path, kind, text, now, blocks)
        except OSError as error:
            reason = error.strerror or "another process keeps it locked"
            advice = "make that a file and a folder that you may write to, or set workspaces_folder"
            problem = f"{path}: the chat log cannot be written ({reason}); {advice}"
            raise ChatLogUnavailable(problem) from error

    def refresh(self, place: ConversationAddress) -> None:
        """Update the summary if it is due, so that the next prompt need not wait for it."""

        def work() -> RollingSummary:
            log, summary = find_log(self.workspaces, place), self.workspaces.summary(place)
            return load_summary(log, summary, self.settings, self.clock(), self.writer)

        self._try_part("summary", work, None)

    def _folder(self, message: GroundingRequest) -> Path:
        return self.workspaces.folder(message.place.workspace)

    def _load_conversation(
        self, place: ConversationAddress, choice: StrategyChoice
    ) -> tuple[RollingSummary, str]:
        """The summary and the tail; small talk needs neither."""
        nothing = RollingSummary(text="", turns=0, refreshed=False)
        if choice.is_small_talk:
            return nothing, ""
        log = self._try_part("chat log", lambda: find_log(self.workspaces, place), None)
        if log is None:
            return nothing, ""
        rolled = self._try_part(
            "summary",
            lambda: load_summary(log, self.workspaces.summary(place), self.settings, self.clock()),
            nothing,
        )
        if rolled.trouble:
            self.degraded.append(f"summary: {rolled.trouble}")
        return rolled, self._try_part("chat log", lambda: build_tail(log, self.settings), "")

    def _find_excerpts(self, text: str, choice: StrategyChoice) -> Sequence[DocumentExcerpt]:
        limit = self.settings.top_k
        if choice.strategy is not Strategy.QMD or not limit or not self.settings.qmd_max_tokens:
            return ()
        most = self.settings.max_doc_excerpt_bytes
        search = Deadline(_SECONDS_FOR_DOCUMENTS)
        return self._try_part(
            "documents", lambda: search.run(lambda: self.library.excerpts(text, limit, most)), ()
        )

    def _compose_policy(self, message: GroundingRequest) -> str:
        layers = load_layers(self.workspaces, message.place, message.role)
        policy = compose_policy(layers, self.settings.policy_max_tokens)
        self.degraded += policy.degraded
        return policy.text

    def _try_part(self, what: str, work: Callable[[], Result], otherwise: Result) -> Result:
        """Run work for a part; if it fails, leave the part out and note that."""
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


def _recent_messages(log: Path) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for entry in iter_entries(log):
        if entry.kind in SPEAKERS:
            found.append({"role": _ROLES[entry.kind], "content": entry.text})
        if len(found) == _RECENT:
            break
    return found[::-1]


def _to_prompt_excerpt(excerpt: DocumentExcerpt) -> PromptExcerpt:
    return PromptExcerpt(source=excerpt.source, heading=excerpt.heading, text=excerpt.text)


def _source_of(excerpt: DocumentExcerpt) -> str:
    return f"{excerpt.source} › {excerpt.heading}" if excerpt.heading else excerpt.source
