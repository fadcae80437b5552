"""Words as SQLite looks for them: loosely and fast by LIKE, then exactly by GLOB."""

from tacit.store.wording import either_case


def patterns_of(words: str) -> dict[str, str]:
    """The patterns that find words, by the names they have in the condition.

    GLOB takes long to look for one that begins with either of two letters, so it gets one of each.
    """
    first, *others = either_case(words)
    rest = "".join(map(_exactly, others))
    return {
        "loosely": f"%{''.join(map(_loosely, (first, *others)))}%",
        "contains": f"*{_exactly(first[0])}{rest}*",
        "contains_too": f"*{_exactly(first[-1])}{rest}*",
    }


def _loosely(cases: str) -> str:
    """What LIKE needs for a character: it knows the cases of ASCII, and JSON escapes some."""
    if cases in ('"', "\\"):
        return "%"
    return cases[0] if len(cases) == 1 or cases.isascii() else "_"


def _exactly(cases: str) -> str:
    """What GLOB needs for a character."""
    return cases if len(cases) == 1 and cases not in "*?[" else f"[{cases}]"
