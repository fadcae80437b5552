"""Whose words turns hold: a model reads each message, and each with the one before it.

"Translate the next message", "here comes the article": what follows is not the person's word, and
nothing in it shows that. "That's my roommate being funny, how do I reply?": nor is what went
before, which may have been learned by then. Few ways of saying so are known as patterns; the model
reads both messages as one, and finds others.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from tacit.core.errors import TacitError
from tacit.core.kinds import Owner
from tacit.core.open_turn import CapturedTurn
from tacit.language.extraction.authorship import WeighAuthorship
from tacit.language.extraction.own_sentences import is_doubtful
from tacit.language.extraction.third_party_text import (
    announces_text,
    disowns_text,
    may_be_announced,
)
from tacit.statements.pair_reading import PairReader
from tacit.store.protocols.store import Store
from tacit.writing.learning.echoes import has_quotes
from tacit.writing.learning.exchanges import HandedOver, WeighExchange, find_handed_over

_MOST_BETWEEN = 2
"""So many short questions may stand between an announcement and its text."""

_TURNS_BEFORE = 8
"""So many turns of a session are looked at, since others may speak in it."""


class EarlierTurn(NamedTuple):
    """A turn, and where it was said."""

    id: str
    session: str
    owner: Owner


class _ForeignTurn(NamedTuple):
    """A turn with a text of somebody else, and whether the person said so in known words."""

    turn: EarlierTurn
    is_told: bool


class _SaidText(NamedTuple):
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnAuthorship:
    """Whose words some turns hold."""

    foreign: frozenset[str]
    """The turns with a text that is somebody else's, as the message before or after it tells."""
    disowned: tuple[EarlierTurn, ...]
    """Turns before these whose text the person disowns: what was learned of it is forgotten."""
    doubted: tuple[EarlierTurn, ...]
    """Turns before these whose text seems to be somebody else's now."""
    weigh: WeighAuthorship | None
    """A model's reading, which is kept; none without a model."""

    @classmethod
    def of(
        cls, store: Store, workspace: str, turns: Sequence[CapturedTurn], reader: PairReader | None
    ) -> "TurnAuthorship":
        """Find the texts that turns announce or disown; turns are in the order of their time."""
        weigh = None if reader is None else cache(reader.weigh_authorship)
        exchange = None if reader is None else reader.weigh_exchange
        found = _ForeignTexts(store, workspace, exchange).find(turns)
        ids = {turn.id for turn in turns}
        earlier = [each for each in found if each.turn.id not in ids]
        return cls(
            foreign=frozenset(each.turn.id for each in found) & ids,
            disowned=tuple(each.turn for each in earlier if each.is_told),
            doubted=tuple(each.turn for each in earlier if not each.is_told),
            weigh=weigh,
        )

    def is_doubtful(self, turn: CapturedTurn, text: str) -> bool:
        """Whether a message of a turn may hold words that are not its speaker's."""
        if turn.id in self.foreign:
            return True
        with suppress(TacitError):  # the model: the patterns alone decide
            return is_doubtful(text, self.weigh)
        return is_doubtful(text)

    def has_quotes(self, turn: CapturedTurn) -> bool:
        """The same of its messages together: a quote may continue in the next one."""
        if turn.id in self.foreign:
            return True
        with suppress(TacitError):
            return has_quotes(turn, self.weigh)
        return has_quotes(turn)


@dataclass(frozen=True, slots=True)
class _ForeignTexts:
    """Finds the turns of one workspace with a text that the message beside it hands over.

    What was said before is that of earlier turns at hand, or of those in the store.
    """

    store: Store
    workspace: str
    weigh: WeighExchange | None

    def find(self, turns: Sequence[CapturedTurn]) -> list[_ForeignTurn]:
        """These turns, and earlier ones whose text is handed over in one of them."""
        said: dict[tuple[str, Owner], list[_SaidText]] = {}
        found: dict[str, _ForeignTurn] = {}

        def note(turn: str, where: tuple[str, Owner], *, is_told: bool) -> None:
            if is_told or turn not in found:
                found[turn] = _ForeignTurn(EarlierTurn(turn, *where), is_told)

        for turn in turns:
            where = (turn.session, turn.episode_owner)
            if where not in said:
                said[where] = self._load_said_before(turn)
            for text in turn.said:
                before = said[where]
                last = [each.text for each in _find_last(before)]
                is_announced = may_be_announced(text) and any(map(announces_text, last))
                is_disowned = bool(last) and may_be_announced(last[0]) and disowns_text(text)
                is_handed_over = HandedOver()
                if last and not (is_announced or is_disowned):
                    is_handed_over = self._read_together(last[0], text)
                if is_announced or is_handed_over.after:
                    note(turn.id, where, is_told=is_announced)
                if is_disowned or is_handed_over.before:
                    note(before[-1].turn, where, is_told=is_disowned)
                before.append(_SaidText(turn.id, text))
        return list(found.values())

    def _read_together(self, first: str, second: str) -> HandedOver:
        """Which of two messages is a text that the other one hands over; none without a model."""
        if self.weigh is not None:
            with suppress(TacitError):
                return find_handed_over(first, second, self.weigh)
        return HandedOver()

    def _load_said_before(self, turn: CapturedTurn) -> list[_SaidText]:
        """The words of the turns before, oldest first, as their receipts have them.

        What only asks, as an announcement does, may not be worth an episode.
        """
        with self.store.read(self.workspace) as unit:
            before = unit.receipts.recent(turn.session, _TURNS_BEFORE, after=turn.id)
        return [
            _SaidText(each.id, each.query)
            for each in reversed(before)
            if each.user == turn.user and each.query
        ]


def _find_last(said: Sequence[_SaidText]) -> Iterator[_SaidText]:
    """The last message that is no short question, and those behind it, newest first."""
    for each in reversed(said[-_MOST_BETWEEN - 1 :]):
        yield each
        if may_be_announced(each.text):
            return
