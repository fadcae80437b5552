"""Judging statements in pairs: a model reads both, `decision` decides, and the verdict is kept."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from tacit.core.errors import TacitError
from tacit.language.extraction.expiry import remove_stated_day
from tacit.statements.decision import (
    StatementVerdict,
    add_clause,
    decide_by_structure,
    decide_texts,
    decide_unread,
    find_deciding_clauses,
)
from tacit.statements.pair_reading import PairReader

READING_VERSION = 3
"""Raised when texts are read otherwise than before: then everything is compared again."""

_KEPT = 4_096

TextPair = tuple[str, str]
"""An earlier and a later text."""


class StatementJudge:
    """Compares statements; what was compared lately is known without the model."""

    def __init__(self, reader: PairReader | None = None) -> None:
        self._reader = reader
        self._latest: OrderedDict[TextPair, StatementVerdict] = OrderedDict()
        self._lock = Lock()

    @property
    def reader(self) -> PairReader | None:
        """The model that reads what is compared, if there is one."""
        return self._reader

    @property
    def has_model(self) -> bool:
        """Whether a model reads what is compared; without one only their structure is."""
        return self._reader is not None

    @property
    def version(self) -> int:
        """The version of what is read of a pair; 0 if only its structure is."""
        return READING_VERSION if self.has_model else 0

    def compare(
        self, pairs: Sequence[TextPair], *, must_read: bool = False
    ) -> list[StatementVerdict]:
        """What each later text does to the earlier one it is paired with.

        If there is a model and it cannot be had, their structure decides until the next time; with
        `must_read` the error is raised.
        """
        with self._lock:
            known = {pair: self._latest[pair] for pair in pairs if pair in self._latest}
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        try:
            found = self._decide(fresh)
        except TacitError:
            if must_read:
                raise
            return [known.get(pair) or decide_by_structure(*pair) for pair in pairs]
        with self._lock:
            self._latest.update(found)
            while len(self._latest) > _KEPT:
                self._latest.popitem(last=False)
        return [known.get(pair) or found[pair] for pair in pairs]

    def prepare(self, pairs: Sequence[TextPair]) -> "PreparedJudge":
        """Compare pairs now, for work that must not wait for the model."""
        return PreparedJudge(dict(zip(pairs, self.compare(pairs), strict=True)))

    def _decide(self, pairs: Sequence[TextPair]) -> dict[TextPair, StatementVerdict]:
        if self._reader is None:
            return {pair: decide_by_structure(*pair) for pair in pairs}
        decided = {pair: told for pair in pairs if (told := decide_unread(*pair)) is not None}
        left = [pair for pair in pairs if pair not in decided]
        return decided | (_read(left, self._reader) if left else {})


@dataclass(frozen=True, slots=True)
class PreparedJudge:
    """Knows what was compared beforehand, and reads nothing: for work that must not wait.

    Of other pairs the structure decides.
    """

    verdicts: Mapping[TextPair, StatementVerdict]

    def compare(self, pairs: Sequence[TextPair]) -> list[StatementVerdict]:
        """What each later text does to the earlier one it is paired with."""
        return [self.verdicts.get(pair) or decide_by_structure(*pair) for pair in pairs]


def _read(pairs: Sequence[TextPair], reader: PairReader) -> dict[TextPair, StatementVerdict]:
    """Read pairs, and then those clauses of earlier texts that decide about a part of them."""
    shares = reader.read_pairs(
        [(remove_stated_day(old), remove_stated_day(new)) for old, new in pairs]
    )
    found = {
        pair: decide_texts(*pair, each) for pair, each in zip(pairs, shares.tolist(), strict=True)
    }
    clauses = [
        (pair, clause) for pair in pairs for clause in find_deciding_clauses(*pair, found[pair])
    ]
    if clauses:
        read = reader.read_pairs([(clause, new) for (_, new), clause in clauses])
        for (pair, _), each in zip(clauses, read.tolist(), strict=True):
            found[pair] = add_clause(found[pair], each[0])
    return found
