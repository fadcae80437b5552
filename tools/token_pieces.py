"""Writes `src/tacit/language/token_pieces.bin`, by which tokens are estimated.

It is an excerpt of the vocabulary cl100k_base (OpenAI's tiktoken, MIT licence), which the package
`bpe-openai` carries (MIT licence): words of lower-case ASCII letters and runs of ASCII marks up to
a rank, and every piece that is not ASCII. Usage: `python -m tools.token_pieces`.
"""

import re
from pathlib import Path

import bpe_openai

_FILE = Path(__file__).parents[1] / "src/tacit/language/token_pieces.bin"
_VOCABULARY = 100_256
_RANK = 45_000
"""With fewer words, English prose would be estimated higher; with all of them the file doubles."""


def main() -> None:
    """Write the file: words, an empty line, and other pieces, one in a line."""
    encoding = bpe_openai.get_encoding("cl100k_base")
    pieces = [encoding.decode_single_token_bytes(rank) for rank in range(_VOCABULARY)]
    words = [each[1:] for each in pieces[:_RANK] if re.fullmatch(rb" [a-z]+", each)]
    marks = [each for each in pieces[:_RANK] if re.fullmatch(rb" ?[!-/:-@[-`{-~]+", each)]
    others = [each for each in pieces if not each.isascii() and b"\n" not in each]
    _FILE.write_bytes(b"\n".join(sorted(words)) + b"\n\n" + b"\n".join(sorted(marks + others)))


if __name__ == "__main__":
    main()
