"""The summary that needs no model: sentences of the transcript itself, chosen and grouped."""

from tacit.language.summary.choosing import choose
from tacit.language.summary.layout import cut, written
from tacit.language.summary.sentences import sentences


class ExtractiveSummarizer:
    """Keeps decisions, facts and open questions in the words they were said in."""

    def summarize(self, transcript: str, characters: int) -> str:
        """The sentences that say most, in their order; the same for the same transcript."""
        choice = choose(sentences(transcript), characters)
        if choice.values or choice.wanted is None:
            return written(choice.values)
        return cut(choice.wanted, characters)
