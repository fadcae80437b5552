"""The pieces of words that the published vocabulary gets in addition."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.trainers import WordPieceTrainer

from tacit.embedding.minilm.languages import extend_tokenizer

NEW_PIECES = 20_000

_CONTINUES = "##"
_RARER_IN_ENGLISH = 0.1
"""A word teaches pieces if English uses it less than so many times as often."""

_MOST_ENGLISH = 0.03
"""The share of a new piece's uses that may be in English words."""

_FEWEST_LETTERS = 3
_ROUNDS = 3
"""Without a piece, others are used more; so often they are looked at again."""

_FEWEST_USES = 2

_USES_PER_ENGLISH_WORD = 200
"""A piece is left out if translations use it less often than this for each English word with it."""

_BATCH = 20_000


def learn_pieces(
    published: Path, foreign: Sequence[str], english: Sequence[str], count: int = NEW_PIECES
) -> list[str]:
    """New pieces of the words of foreign texts that English texts do not need."""
    tokenizer = _open_plain(published)
    foreign_words, english_words = (_count_words(tokenizer, texts) for texts in (foreign, english))
    scale = foreign_words.total() / max(english_words.total(), 1)
    taught = {
        word: uses
        for word, uses in foreign_words.items()
        if english_words[word] * scale < uses * _RARER_IN_ENGLISH
    }
    known = tokenizer.get_vocab()
    pieces = [
        each
        for each in _learn_from_words(taught, count + len(known) // 3)
        if each not in known and len(each.removeprefix(_CONTINUES)) >= _FEWEST_LETTERS
    ][: count + count // 10]
    for _ in range(_ROUNDS):
        pieces = _leave_english_alone(tokenizer, pieces, foreign_words, english_words)
    return pieces[:count]


def find_foreign_pieces(
    published: Path, pieces: Sequence[str], foreign: Iterable[str], english_words: Sequence[str]
) -> list[str]:
    """The pieces that translations use far more often than there are English words with them.

    English texts are narrower than a dictionary: the others would cut English words into pieces
    that no English text has taught.
    """
    tokenizer = _open_plain(published)
    extended = Tokenizer.from_str(extend_tokenizer(tokenizer.to_str(), pieces))
    uses = _count_uses(extended, _count_words(tokenizer, foreign))
    dictionary = _count_uses(extended, Counter(each.lower() for each in english_words))
    return [each for each in pieces if uses[each] >= _USES_PER_ENGLISH_WORD * dictionary[each]]


def _open_plain(published: Path) -> Tokenizer:
    """The published tokenizer, which would cut and pad texts if it were used as it is."""
    tokenizer = Tokenizer.from_file(str(published))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _count_words(tokenizer: Tokenizer, texts: Iterable[str]) -> Counter[str]:
    """How often each word is used, written as the vocabulary has words."""
    counts: Counter[str] = Counter()
    for text in texts:
        plain = tokenizer.normalizer.normalize_str(text)
        counts.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(plain))
    return counts


def _learn_from_words(words: dict[str, int], count: int) -> list[str]:
    learner = Tokenizer(WordPiece(unk_token="[UNK]"))
    trainer = WordPieceTrainer(
        vocab_size=count, min_frequency=_FEWEST_USES, continuing_subword_prefix=_CONTINUES,
        show_progress=False,
    )  # fmt: skip
    learner.train_from_iterator(_repeat_words(words), trainer)
    return sorted(learner.get_vocab(), key=learner.get_vocab().__getitem__)


def _repeat_words(words: dict[str, int]) -> Iterator[str]:
    for word, uses in words.items():
        for _ in range(uses):
            yield word


def _leave_english_alone(
    tokenizer: Tokenizer, pieces: Sequence[str], foreign: Counter[str], english: Counter[str]
) -> list[str]:
    """The pieces that are used, and hardly ever in English words."""
    extended = Tokenizer.from_str(extend_tokenizer(tokenizer.to_str(), pieces))
    in_foreign, in_english = (_count_uses(extended, words) for words in (foreign, english))
    scale = foreign.total() / max(english.total(), 1)
    return [
        piece
        for piece in pieces
        if (uses := in_foreign[piece]) >= _FEWEST_USES
        and in_english[piece] * scale <= _MOST_ENGLISH * uses
    ]


def _count_uses(tokenizer: Tokenizer, words: Counter[str]) -> Counter[str]:
    uses: Counter[str] = Counter()
    listed = list(words)
    for start in range(0, len(listed), _BATCH):
        part = listed[start : start + _BATCH]
        for word, read in zip(
            part, tokenizer.encode_batch(part, add_special_tokens=False), strict=True
        ):
            for piece in read.tokens:
                uses[piece] += words[word]
    return uses
