"""Make `src/tacit/language/lookalikes.toml`: which characters look like one of ASCII.

    pip install confusable-homoglyphs==3.3.1
    python tools/lookalikes.py > src/tacit/language/lookalikes.toml

The package carries Unicode's table of confusables (UTS #39) as it is published. What Unicode's
normalisation says already is left out, and so is what looks like several characters at once.
"""

import re
import sys
import unicodedata
from collections import defaultdict

from confusable_homoglyphs import confusables

SAME = {"i": "l", "1": "l", "|": "l", "0": "o"}
"""These look alike within ASCII: all of them are taken for the first."""

EXTRA = {
    "[": "⁅⟦〚【〔❲",
    "]": "⁆⟧〛】〕❳",
    "<": "‹❮⟨〈《⧼",
    ">": "›❯⟩〉》⧽",
    "-": "‒–—―−─",
    ":": "\u05c3\u0703\u0704\u0705\u0706\u0707\u0708\u0709"
    "\u1361\u1364\u1365\u1366\u1804\u205d"
    "\u2982\u2af6\ufe30\ua6f4\U00012471\U00012472\U0001da8a",
    "b": "в",
    "e": "εєэ",
    "h": "н",
    "k": "кκĸ",
    "m": "м",
    "n": "ηпи",
    "t": "тτ",
    "w": "ωшщ",
}
"""What is read as ASCII's though it is drawn otherwise."""

NAMED = re.compile(
    r"(?:(?!TAG ).*LATIN .*LETTER (?:SMALL CAPITAL )?|REGIONAL INDICATOR SYMBOL LETTER )([A-Z])"
    r"(?: WITH .*)?"
)
"""Letters with strokes, small capitals and signs, told by their names."""


def folded(character: str) -> str:
    """What normalisation makes of a character, without its marks."""
    plain = unicodedata.normalize("NFKD", character)
    return "".join(each for each in plain if not unicodedata.combining(each))


def lookalikes() -> dict[str, set[str]]:
    """The characters that look like each of ASCII; capitals count as small letters."""
    found: dict[str, set[str]] = defaultdict(set)
    for character, others in EXTRA.items():
        found[character] |= set(others)
    for character in map(chr, range(0x21, 0x7F)):
        listed = confusables.confusables_data.get(character, ())
        name = SAME.get(character.lower(), character.lower())
        found[name] |= {each["c"] for each in listed if len(each["c"]) == 1}
    for number in range(0x80, sys.maxunicode + 1):
        letter = NAMED.fullmatch(unicodedata.name(chr(number), ""))
        if letter:
            found[letter[1].lower()].add(chr(number))
    return {
        character: {
            each
            for each in others
            if each in EXTRA.get(character, "") or not folded(each).isascii()
        }
        for character, others in found.items()
        if not character.isdigit() and character != "\\"
    }


def main() -> None:
    """Write the table, each character under the first of ASCII that it looks like."""
    lines = ["# Made by tools/lookalikes.py from Unicode's confusables (Unicode-3.0 licence)."]
    taken: set[str] = set()
    for character, others in lookalikes().items():
        own = "".join(sorted(others - taken))
        taken |= others
        if own:
            lines.append(f'"{character}" = "{own}"')
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
