"""Calls about learning from conversations, and about what waits for a person."""

from collections.abc import Sequence
from dataclasses import replace

from tacit.api.protocols.memories import ReviewsProtocol
from tacit.api.protocols.observation import LearningProtocol
from tacit.api.visibility import (
    list_pending_reviews,
    list_unread_turns,
    load_review_report,
    visible_lessons,
)
from tacit.api.workspace import Part
from tacit.core.changes import Review, ReviewReport
from tacit.core.errors import InvalidInput, ModelLate, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import PERSONS, Action, Actor
from tacit.core.open_turn import CapturedTurn, UnreadTurn
from tacit.core.permissions import Viewer
from tacit.embedding.llm import ChatModel
from tacit.language.extraction.findings import Extraction, ModelExtraction
from tacit.language.extraction.messages import MAX_CHARACTERS
from tacit.language.redaction.redact import redact_start
from tacit.store.generations import put_vectors
from tacit.store.transactions import call_after_commit
from tacit.writing.author import Author
from tacit.writing.draft import Status, Written
from tacit.writing.learning.echoes import remove_pasted_blocks
from tacit.writing.learning.learner import read_message
from tacit.writing.learning.lesson import Learned
from tacit.writing.learning.model_extraction import extract_by_model
from tacit.writing.learning.model_reader import estimate_cost
from tacit.writing.learning.token_budget import record_spending, tokens_left
from tacit.writing.remember import EmbeddedTexts
from tacit.writing.reviews import accept_review, reject_review, to_proposed_draft


class Learning(Part, LearningProtocol):
    """Learning from committed turns."""

    def learn(self, *, agent: str | None = None, user: str | None = None) -> Learned:
        who, learned = Viewer.of(agent, user), self._context.learning.learn_now()
        return self._context.read(lambda unit: visible_lessons(unit, learned, who))

    def extract(self, text: str, *, with_model: bool = False) -> Extraction:
        said = redact_start(check_field("text", text), MAX_CHARACTERS).text
        reader, own = self._context.judge().reader, remove_pasted_blocks(said)
        found = read_message(own, self._context.clock(), reader, explains=True)
        return replace(found, model=self._ask_model(said, found)) if with_model else found

    def _ask_model(self, said: str, found: Extraction) -> ModelExtraction:
        """Ask the model that is set, within its tokens of the day."""
        settings, now = self._context.current_config().writing, self._context.clock()
        if not settings.llm_model:
            problem = "no language model is set; set one up: tacit settings llm openai"
            raise InvalidInput("with_model", problem)
        turn = CapturedTurn(id=self._context.new_id(), session="extract", at=now, said=(said,))
        cost = estimate_cost([turn])
        with self._context.store.write(self._context.name) as unit:
            if cost > tokens_left(unit, now.date(), settings.llm_tokens_per_day):
                problem = "the model has had its tokens of today; raise llm_tokens_per_day"
                raise InvalidInput("with_model", problem)
            record_spending(unit, now.date(), cost)
        model = ChatModel(
            settings.llm_model, settings.llm_base_url or None, key_env=settings.llm_key_env
        )
        taken = 0
        try:
            extraction = extract_by_model(model, turn, found.findings)
            taken = extraction.tokens
        except ModelLate:
            taken = cost  # it may have answered, to nobody
            raise
        finally:
            with self._context.store.write(self._context.name) as unit:
                record_spending(unit, now.date(), taken - cost)
        return extraction


def _no_unread_turn(id: str) -> NotFound:
    return NotFound(f"no turn {id} was set aside; tacit learn --unread lists those that were")


# Reviews


_NEW_WORDS = frozenset({Status.CREATED, Status.UPDATED})


class Reviews(Part, ReviewsProtocol):
    """Changes that wait for a person: list, accept and reject them."""

    def list(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Review]:
        size, who = check_field("limit", limit), Viewer.of(agent, user)
        last = None if after is None else check_field("id", after, "after")
        return self._context.read(lambda unit: list_pending_reviews(unit, size, last, who))

    def get(self, id: str, *, agent: str | None = None, user: str | None = None) -> ReviewReport:
        checked, who = check_field("id", id), Viewer.of(agent, user)
        return self._context.read(lambda unit: load_review_report(unit, checked, who))

    def accept(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Written:
        checked, why, actor = (
            check_field("id", id),
            check_field("reason", reason),
            check_field("by", by),
        )
        embedded = self._embed_change(checked) if actor in PERSONS else {}

        def work(author: Author) -> Written:
            written = accept_review(author, checked, why)
            fresh = embedded.get(written.memory.search_text)
            if fresh is not None and written.status in _NEW_WORDS:
                put_vectors(author.unit, written.id, fresh)
            return written

        return self._context.write(actor, work)

    def reject(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Review:
        checked, why = check_field("id", id), check_field("reason", reason)
        return self._context.write(by, lambda author: reject_review(author, checked, why))

    def unread_turns(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[UnreadTurn]:
        size, who = check_field("limit", limit), Viewer.of(agent, user)
        last = None if after is None else check_field("id", after, "after")
        return self._context.read(lambda unit: list_unread_turns(unit, size, last, who))

    def retry_unread_turn(self, id: str) -> None:
        checked = check_field("id", id)
        with self._context.store.write(self._context.name) as unit:
            if not unit.heard.retry([checked]):
                raise _no_unread_turn(checked)
            call_after_commit(self._context.learning.heard)

    def drop_unread_turn(self, id: str) -> None:
        checked = check_field("id", id)
        with self._context.store.write(self._context.name) as unit:
            if not unit.heard.retry([checked]):  # only what was set aside is dropped
                raise _no_unread_turn(checked)
            unit.heard.drop([checked])

    def _embed_change(self, id: str) -> EmbeddedTexts:
        """The vector of the text that a pending change would bring."""
        review = self._context.read(lambda unit: unit.reviews.get(id))
        if review is not None and review.is_proposal:
            return self._context.memory_embedder.embed_new([to_proposed_draft(review)])
        if review is not None and review.action is Action.UPDATE:
            return self._context.memory_embedder.embed_change(review.memory, review.change)
        return {}
