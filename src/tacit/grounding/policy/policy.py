"""A policy as a value: its lines, where each is from, and what became of every layer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tacit.grounding.policy.layer import Kind, Layer, State, spelled
from tacit.language.tokens import estimate_tokens


class Fate(StrEnum):
    """What became of a layer."""

    KEPT = "kept"
    CUT = "cut"
    DROPPED = "dropped"
    SHADOWED = "shadowed"
    SURPLUS = "surplus"
    UNREADABLE = "unreadable"


_STATES = {Fate(state): state for state in State if state is not State.READ}


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyLine:
    """A line of a policy, whose it is, and which line of its file; ours have no number."""

    text: str
    layer: Layer
    number: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "layer": str(self.layer.kind),
            "name": self.layer.name,
            "file": _file(self.layer),
            "line": self.number,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How much of a layer is in a policy."""

    layer: Layer
    fate: Fate
    tokens: int = 0
    lines: int = 0
    of_lines: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Share":
        """Read what `to_dict` wrote."""
        fate = Fate(values["fate"])
        layer = Layer(
            kind=Kind(values["layer"]),
            name=values["name"],
            source=_path(values["file"]),
            state=_STATES.get(fate, State.READ),
            note=values["note"],
        )
        counts = {name: values[name] for name in ("tokens", "lines", "of_lines")}
        return cls(layer=layer, fate=fate, **counts)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "layer": str(self.layer.kind),
            "name": self.layer.name,
            "file": _file(self.layer),
            "fate": str(self.fate),
            "tokens": self.tokens,
            "lines": self.lines,
            "of_lines": self.of_lines,
            "note": self.layer.note,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The system side of a prompt, and the account of it."""

    lines: tuple[PolicyLine, ...]
    shares: tuple[Share, ...]
    max_tokens: int

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Policy":
        """Read what `to_dict` wrote."""
        shares = tuple(map(Share.from_dict, values["layers"]))
        layers = {
            (str(each.layer.kind), each.layer.name, each.layer.source): each.layer
            for each in shares
        }
        lines = tuple(
            PolicyLine(
                text=line["text"],
                layer=layers[line["layer"], line["name"], _path(line["file"])],
                number=line["line"],
            )
            for line in values["lines"]
        )
        return cls(lines=lines, shares=shares, max_tokens=values["max_tokens"])

    @property
    def text(self) -> str:
        """What a model gets."""
        return "\n".join(line.text for line in self.lines)

    @property
    def tokens(self) -> int:
        """How much it takes."""
        return estimate_tokens(self.text)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What could not be read, and why, without saying where it is."""
        return tuple(
            f"policy: {each.layer.title} {each.layer.note}"
            for each in self.shares
            if each.fate is Fate.UNREADABLE
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "max_tokens": self.max_tokens,
            "layers": [share.to_dict() for share in self.shares],
            "lines": [line.to_dict() for line in self.lines],
        }


def _file(layer: Layer) -> str | None:
    return None if layer.source is None else spelled(str(layer.source))


def _path(file: str | None) -> Path | None:
    return None if file is None else Path(file)
