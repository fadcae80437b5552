"""Taking in all texts, and how fast that goes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from benchmarks.batches import BATCH, batches
from benchmarks.context import Say
from benchmarks.figures import Figure, rate
from benchmarks.postgres.material import Material
from benchmarks.postgres.sides import Job, Opened, in_turns
from benchmarks.token_codes import encode_tokens

_MEASURED = 20_000
_MORE = 1_000
_OFTEN = 100

Columns = dict[str, list[Figure]]


def fill(sides: Mapping[str, Opened], material: Material, say: Say) -> Columns:
    """The rate of the last ones by a hundred; what comes before is taken in by a thousand."""
    before = max(material.size - _MEASURED, 0)
    in_turns(sides, _told(_jobs(material, slice(0, before), _MORE), say))
    taken = in_turns(sides, _told(_jobs(material, slice(before, None), BATCH), say))
    count = material.size - before
    return {
        name: [rate(f"remember_all by {BATCH}", count, sum(each))] for name, each in taken.items()
    }


def encode(sides: Mapping[str, Opened], material: Material, say: Say) -> None:
    """Make every token code before anything is searched."""
    for name, side in sides.items():
        say(f"encoding, {name}")
        for workspace in material.workspaces:
            encode_tokens(side[workspace])


def _jobs(material: Material, span: slice, size: int) -> Iterator[Job]:
    """The part of all texts that lies in the span, in pieces of one workspace each."""
    passed = 0
    start, stop, _ = span.indices(material.size)
    for workspace, share in material.shares.items():
        within = share[max(start - passed, 0) : max(stop - passed, 0)]
        for batch in batches(within, size):
            yield partial(_remember, workspace=workspace, batch=batch)
        passed += len(share)


def _told(jobs: Iterable[Job], say: Say) -> Iterator[Job]:
    for number, job in enumerate(jobs):
        if number % _OFTEN == 0:
            say(f"remembering, batch {number:,}")
        yield job


def _remember(opened: Opened, workspace: str, batch: Sequence[str]) -> None:
    opened[workspace].memories.remember_all(batch)
