"""A TOML text whose statements can be replaced one by one."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tacit.settings.config.statements import Place, Statement, statements

_LINE_END = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A text by its statements; a change makes a new text, in which all others are as before."""

    statements: tuple[Statement, ...]

    @classmethod
    def of(cls, text: str) -> "Sheet":
        """The statements of a valid text."""
        return cls(tuple(statements(text)))

    def making(self, place: Place) -> int | None:
        """The number of the key that makes a place, if it is not a header that does."""
        return self._first(lambda each: not each.is_header and place in each.places())

    def opening(self, table: Place) -> int | None:
        """The number of the header that opens a table."""
        return self._first(lambda each: each.is_header and each.table == table)

    def last_key(self, header: int) -> int:
        """The number of the last key under a header, or of the header itself."""
        last = header
        for number in range(header + 1, len(self.statements)):
            if self.statements[number].is_header:
                break
            if self.statements[number].content:
                last = number
        return last

    def replaced(self, number: int, text: str) -> str:
        """The text with other words in the place of a statement."""
        return self._joined(number, self._ended(text), number + 1)

    def inserted(self, number: int, lines: Iterable[str]) -> str:
        """The text with some lines more after a statement."""
        return self._joined(number + 1, self._ended("".join(f"{line}\n" for line in lines)))

    def closed(self, header: int) -> str:
        """The text without a header and the keys under it."""
        inside = self.statements[header : self.last_key(header) + 1]
        kept = "".join(each.text for each in inside if not each.content)
        return self._joined(header, kept, self.last_key(header) + 1)

    def appended(self, lines: Iterable[str]) -> str:
        """The text with some lines more at its end, apart from what is there."""
        is_apart = not self.statements or not self.statements[-1].text.strip()
        return self.inserted(len(self.statements), lines if is_apart else ("", *lines))

    def _first(self, wanted: Callable[[Statement], bool]) -> int | None:
        return next((at for at, each in enumerate(self.statements) if wanted(each)), None)

    def _joined(self, start: int, new: str, end: int | None = None) -> str:
        texts = [each.text for each in self.statements]
        before, after = "".join(texts[:start]), "".join(texts[start if end is None else end :])
        if before and not before.endswith("\n"):
            before += self._ended("\n")
        return before + new + after

    def _ended(self, text: str) -> str:
        """A text whose lines end as those of this one do."""
        first = next((each.text for each in self.statements), "")
        return _LINE_END.sub("\r\n" if first.endswith("\r\n") else "\n", text)
