"""Which texts are run together."""

from collections.abc import Iterator, Sequence

TOKENS = 512
"""Tokens in a batch with its padding; more is no faster on one thread.

Small for another reason too: activations get one scale per batch, so that in eight bits the
vector of a text depends a little on its company.
"""


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts, those of like length together, so that little is padded."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
