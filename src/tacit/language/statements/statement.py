"""One statement: something has some value of some attribute, or has it not."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Statement:
    """What a clause says; each part is normalised for comparison, and empty where unknown."""

    entity: str
    attribute: str
    value: str
    negated: bool = False
    functional: bool = False

    @property
    def slot(self) -> str:
        """The same for every statement about this attribute of this entity."""
        return f"{self.entity}\x1f{self.attribute}"

    @property
    def claim(self) -> str:
        """The same for every statement that could stand against this one."""
        return self.slot if self.functional else f"{self.slot}\x1f{self.value}"

    def with_polarity(self, negated: bool) -> "Statement":
        """The same statement, denied or not."""
        return replace(self, negated=negated) if negated != self.negated else self
