"""What may differ in a pair without a difference in what it says: chatter, capitals, full stops."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tools.pair_reading.pairs import TrainingPair


def vary_pair(
    pair: TrainingPair, chatter: Sequence[str], random: Random, *, is_written: bool
) -> TrainingPair:
    """The pair with chatter around the later text, other capitals and full stops, or as it is.

    Written pairs have chatter of their own and rarely get more.
    """
    old, new = pair.old, pair.new
    if not is_written or random.random() < 0.15:
        new = _add_chatter(new, chatter, random)
    if random.random() < 0.5:
        old, new = _capitalize(old), _capitalize(new)
    if random.random() < 0.2:
        new = new.lower()
    if random.random() < 0.2:
        old = old.lower()
    return replace(pair, old=_vary_end(old, random), new=_vary_end(new, random))


def _add_chatter(text: str, chatter: Sequence[str], random: Random) -> str:
    case = random.random()
    if case < 0.2:
        return f"{random.choice(chatter)} {text}"
    if case < 0.4:
        mark = "," if random.random() < 0.4 else "."
        return f"{text}{mark} {random.choice(chatter)}"
    if case < 0.45:
        return f"{random.choice(chatter)} {text}. {random.choice(chatter)}"
    return text


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _vary_end(text: str, random: Random) -> str:
    """The text with or without a full stop, which must not tell where a pair comes from.

    The statements of lives end with one and those made of attributes do not: the first training
    took a full stop for a sign that nothing changes.
    """
    bare = text.removesuffix(".")
    return f"{bare}." if bare[-1:].isalnum() and random.random() < 0.5 else bare
