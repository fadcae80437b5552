"""What words look like in a text, in capitals or not: one rule for every backend."""

import re


def either_case(words: str) -> list[str]:
    """For each character of some words, itself and its other case, if that is one character."""
    return [character + _other_case(character) for character in words]


def expression(words: str) -> str:
    """A regular expression that finds some words, plain enough for Python and PostgreSQL."""
    return "".join(
        re.escape(cases) if len(cases) == 1 else f"[{cases}]" for cases in either_case(words)
    )


def _other_case(character: str) -> str:
    other = character.lower() if character.lower() != character else character.upper()
    return other if len(other) == 1 and other != character else ""
