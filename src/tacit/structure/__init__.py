"""The fixed words of every prompt, and stored text that cannot pass for them."""

from tacit.structure.neutral import (
    is_heading,
    neutralised,
    neutralised_lines,
    neutralised_once,
    restored,
    restored_lines,
    without_forged_end,
)

__all__ = [
    "is_heading",
    "neutralised",
    "neutralised_lines",
    "neutralised_once",
    "restored",
    "restored_lines",
    "without_forged_end",
]
