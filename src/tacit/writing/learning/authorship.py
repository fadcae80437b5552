"""Whose words turns hold: a model reads each message once, and some texts are announced.

"Translate the next message", "here comes the article": what follows is not the person's word, and
nothing in it shows that.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from tacit.core.errors import TacitError
from tacit.core.kinds import Owner
from tacit.core.open_turn import CapturedTurn
from tacit.embedding.pair_reading import PairReader
from tacit.language.extraction.authorship import WeighAuthorship
from tacit.language.extraction.own_sentences import is_doubtful
from tacit.language.extraction.third_party_text import announces_text, may_be_announced
from tacit.store.protocols.store import Store
from tacit.writing.learning.echoes import has_quotes

_MOST_BETWEEN = 2
"""So many short questions may stand between an announcement and its text."""

_TURNS_BEFORE = 8
"""So many turns of a session are looked at, since others may speak in it."""


@dataclass(frozen=True, slots=True)
class TurnAuthorship:
    """Whose words some turns hold."""

    announced: frozenset[str]
    """The turns with a text that was announced."""
    weigh: WeighAuthorship | None
    """A model's reading, which is kept; none without a model."""

    @classmethod
    def of(
        cls, store: Store, workspace: str, turns: Sequence[CapturedTurn], reader: PairReader | None
    ) -> "TurnAuthorship":
        """Find what was announced before turns, which are in the order that they were said in."""
        weigh = None if reader is None else cache(reader.weigh_authorship)
        return cls(_AnnouncedTexts(store, workspace).find(turns), weigh)

    def is_doubtful(self, turn: CapturedTurn, text: str) -> bool:
        """Whether a message of a turn may hold words that are not its speaker's."""
        if turn.id in self.announced:
            return True
        with suppress(TacitError):  # the model: the patterns alone decide
            return is_doubtful(text, self.weigh)
        return is_doubtful(text)

    def has_quotes(self, turn: CapturedTurn) -> bool:
        """The same of its messages together: a quote may continue in the next one."""
        if turn.id in self.announced:
            return True
        with suppress(TacitError):
            return has_quotes(turn, self.weigh)
        return has_quotes(turn)


@dataclass(frozen=True, slots=True)
class _AnnouncedTexts:
    """Finds the turns of one workspace that hand over a text which was announced before.

    What was said before is that of earlier turns at hand, or of those in the store.
    """

    store: Store
    workspace: str

    def find(self, turns: Sequence[CapturedTurn]) -> frozenset[str]:
        """The ids of these turns."""
        said: dict[tuple[str, Owner], list[str]] = {}
        found: set[str] = set()
        for turn in turns:
            where = (turn.session, turn.episode_owner)
            if where not in said:
                said[where] = self._load_said_before(turn)
            for text in turn.said:
                if may_be_announced(text) and any(map(announces_text, _find_last(said[where]))):
                    found.add(turn.id)
                said[where].append(text)
        return frozenset(found)

    def _load_said_before(self, turn: CapturedTurn) -> list[str]:
        """The words of the turns before, oldest first, as their receipts have them.

        What only asks, as an announcement does, may not be worth an episode.
        """
        with self.store.read(self.workspace) as unit:
            before = unit.receipts.recent(turn.session, _TURNS_BEFORE, after=turn.id)
        return [each.query for each in reversed(before) if each.user == turn.user and each.query]


def _find_last(said: Sequence[str]) -> Iterator[str]:
    """The last message that is no short question, and those behind it, newest first."""
    for text in reversed(said[-_MOST_BETWEEN - 1 :]):
        yield text
        if may_be_announced(text):
            return
