"""Which analysis made the terms and claims of a database: an older one's are made anew.

A newer one's are refused. Two versions on one database would else take turns to analyse it all.
"""

from tacit.core.errors import StoreTooNew
from tacit.language.statements.parser import STATEMENTS_VERSION
from tacit.language.terms import ANALYSIS_VERSION

ANALYSIS = f"{ANALYSIS_VERSION}.{STATEMENTS_VERSION}"
"""What is noted beside terms and claims that this version made."""


def is_newer(made_by: str) -> bool:
    """Whether a later version made terms or claims; what has no such number is older."""
    numbers = made_by.split(".")
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        return False
    terms, claims = map(int, numbers)
    return terms > ANALYSIS_VERSION or claims > STATEMENTS_VERSION


def refuse_newer(place: object, made_by: str, package: str) -> None:
    """Leave alone what a newer version analysed, and say how to open it."""
    if is_newer(made_by):
        raise StoreTooNew(
            f"{place}: analysed by a newer Tacit (analysis {made_by}, this one knows {ANALYSIS});"
            f" upgrade with: pip install --upgrade {package}"
        )
