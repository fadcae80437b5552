"""Names as small numbers."""

ANYONE = -1


class Names:
    """Gives every name a number; no name is ANYONE."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str | None) -> int:
        """The number of a name, made where there is none."""
        return ANYONE if name is None else self._numbers.setdefault(name, len(self._numbers))

    def known(self, name: str) -> int:
        """The number of a name; one that nothing has for a name that was never seen."""
        return self._numbers.get(name, -2)

    def items(self) -> list[tuple[str, int]]:
        """Every name with its number."""
        return list(self._numbers.items())

    def __len__(self) -> int:
        return len(self._numbers)
