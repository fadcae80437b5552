"""Shares drawn as bars."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(share: float, cells: int) -> str:
    """A share from 0 to 1 as a bar of so many cells, in eighths of a cell."""
    eighths = round(max(0.0, min(share, 1.0)) * cells * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")
