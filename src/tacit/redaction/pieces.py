"""Secrets that were cut into several texts, of which none shows one by itself."""

from bisect import bisect_right
from collections.abc import Sequence

from tacit.redaction.blocks import private_keys
from tacit.redaction.marker import marker
from tacit.redaction.numbers import listed_codes


def redact_pieces(texts: Sequence[str]) -> list[str]:
    """Texts one after the other, without the key or the list of codes that goes across them.

    A text that was a part of one becomes a marker; what else it holds is for `redact` to find.
    """
    kept, starts = list(texts), [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    joined = "\n".join(texts)
    spans = [*private_keys(joined), *listed_codes(joined, joined.lower())]
    for span in sorted(spans, reverse=True):
        place = bisect_right(starts, span.start) - 1
        while place < len(kept) and starts[place] < span.end:
            text, first = kept[place], starts[place]
            before, after = text[: max(0, span.start - first)], text[max(0, span.end - first) :]
            kept[place] = before + marker(span.name) + after
            place += 1
    return kept
