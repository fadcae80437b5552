"""Other wordings of FactConsolidation's facts, so that rules cannot live on those of the data."""

import hashlib
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from tacit.core.errors import ArchiveError


class Wording(StrEnum):
    """How the facts are written: as in the data, in one of two other ways, or in all three."""

    ORIGINAL = "original"
    FIRST = "first"
    SECOND = "second"
    MIXED = "mixed"


_TO_MIX = (Wording.ORIGINAL, Wording.FIRST, Wording.SECOND)


def reword_fact(fact: Mapping[str, Any], wording: Wording) -> str:
    """The text of a fact in a wording; as it is if the data itself could not parse it."""
    text, relation = str(fact["text"]), fact.get("rel")
    if wording is Wording.MIXED:
        wording = _choose_wording(text)
    if wording is Wording.ORIGINAL or relation is None:
        return text
    if relation not in _templates():
        raise ArchiveError(f"there is no other wording for the relation {relation!r} of {text!r}")
    template = _templates()[relation][wording]
    reworded = template.format(subject=fact["subj"], object=fact["obj"])
    return reworded[:-1] if reworded.endswith("..") else reworded


def _choose_wording(text: str) -> Wording:
    """One of the wordings, always the same for a text and independent of its other versions."""
    return _TO_MIX[int.from_bytes(hashlib.sha256(text.encode()).digest()) % len(_TO_MIX)]


@cache
def _templates() -> Mapping[str, Mapping[str, str]]:
    """The two other wordings of each relation."""
    return tomllib.loads((files("tacit.evals") / "sets" / "fact_wordings.toml").read_text("utf-8"))
