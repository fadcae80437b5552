"""Turn a message into the query that memory is searched with.

The message is cleaned of what programs put around it. Small talk and commands need no search. A
message that depends on the conversation before it ("and why?") is searched for together with the
last exchanges.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Self

from tacit.core.messages import is_assistant, is_human, text_of
from tacit.language.follow_ups import is_follow_up
from tacit.language.languages import (
    DEFAULT_LANGUAGE,
    ENGLISH_WORDS,
    find_small_words,
    guess_language,
)
from tacit.language.small_talk import fold_words
from tacit.language.terms import QueryTerm, extract_query_terms
from tacit.language.topics import speaks_of_own

# Cleaning: the words that a person really wrote.


_WRAPPERS = "|".join(
    (
        "system-reminder",
        "system",
        "hook_context",
        "local-command-stdout",
        "local-command-stderr",
        "local-command-caveat",
        "command-name",
        "command-message",
        "command-args",
        "environment_context",
        "user_instructions",
        "context",
        "memory",
    )
)
_WRAPPER_TAG = re.compile(rf"<(/?)({_WRAPPERS})\b[^<>]*>", re.IGNORECASE)
_FENCED_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
"""Not `code_fences`: in a message code may begin and end in the middle of a line."""
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_LOG_LINE = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d[.,]\d+"
    r"|(?:DEBUG|INFO|WARN|ERROR|TRACE)\b"
    r'|Traceback \(|File "[^"\n]*", line \d+|at [\w.$<>]+\([^)\n]*\)).*$',
    re.MULTILINE,
)
_CONTINUATION_NOTE = re.compile(
    r"^(?:This session is being continued from a previous conversation.*"
    r"|Please continue the conversation from where we left .*"
    r"|\[Request interrupted by user[^\]]*\]|\[Compaction Summary\]:.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_PASTED_TEXT = re.compile(r"(?<=\w):\s*[\"“„«][^\"“”«»]{40,}[\"“”»]")
"""A text in quotation marks that something is to be done with; it is not what is asked."""
_SPACES = re.compile(r"\s+")

MAX_MESSAGE_CHARACTERS = 20_000
"""How much of a message is read; what matters is said before."""


def clean_message(text: str) -> str:
    """Remove wrappers, quoted logs and code from a message, unless nothing else is left."""
    said = _strip_wrappers(text[:MAX_MESSAGE_CHARACTERS])
    rest = said
    for noise in (_FENCED_CODE, _QUOTED_LINE, _LOG_LINE, _CONTINUATION_NOTE, _PASTED_TEXT):
        rest = noise.sub(" ", rest)
    return _SPACES.sub(" ", rest).strip() or _SPACES.sub(" ", said).strip()


def _strip_wrappers(text: str) -> str:
    """Remove wrapper elements; an element that is not closed is kept."""
    kept: list[str] = []
    opened: list[tuple[str, int]] = []
    last = 0
    for tag in _WRAPPER_TAG.finditer(text):
        closing, name = tag.group(1), tag.group(2).casefold()
        if not closing:
            opened.append((name, tag.start()))
        elif any(name == other for other, _ in opened):
            while opened[-1][0] != name:
                opened.pop()
            _, start = opened.pop()
            if not opened:
                kept.append(text[last:start])
                last = tag.end()
    return " ".join([*kept, text[last:]])


# Excerpts: the part of a long text that is worth embedding.


_WORD = re.compile(r"\S+")
_TOKENS_PER_WORD = 1.3
_MAX_EXCERPT_CHARACTERS = 4_000
"""How much of a text is read for an excerpt."""


def select_informative_words(text: str, tokens: int) -> str:
    """Shorten a text to about this many tokens: its most informative words, in their order.

    Embedding costs time per token, and stop words tell a model little once there are many.
    """
    most = int(tokens / _TOKENS_PER_WORD)
    words = _WORD.findall(text[:_MAX_EXCERPT_CHARACTERS])
    if len(words) <= most:
        return " ".join(words)
    by_weight = sorted(
        range(len(words)), key=lambda place: (-_informativeness(words[place]), place)
    )
    return " ".join(words[place] for place in sorted(by_weight[:most]))


@lru_cache(maxsize=65_536)
def _informativeness(word: str) -> int:
    """Rank a word: names and numbers first, then longer words; stop words are worth nothing."""
    terms = extract_query_terms(word)
    if not terms or all(term.is_stop_word for term in terms):
        return 0
    stands_out = any(character.isdigit() or character.isupper() for character in word)
    return 3 if stands_out else 2 if len(word) > _SHORT_WORD else 1


_SHORT_WORD = 5


# The query itself.


MAX_QUERY_CHARACTERS = 800
"""How much of a text is matched by words."""


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text to embed, and its weight."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What memory is searched with: weighted terms, and texts to embed, the message itself first.

    `context` holds the terms that come from the conversation and not from the message. A query that
    `is_own` speaks of what is the speaker's: "our database", "do we", "my sister".
    """

    terms: tuple[QueryTerm, ...]
    texts: tuple[WeightedText, ...]
    context: tuple[QueryTerm, ...] = ()
    is_own: bool = False

    @classmethod
    def of(cls, text: str) -> Self:
        """Build a query from a text without any context."""
        terms = tuple(extract_query_terms(text[:MAX_QUERY_CHARACTERS]))
        return cls(
            terms,
            (WeightedText(text),),
            is_own=speaks_of_own(text),
        )


_WEST_EUROPEAN = re.compile("[\u0000-\u00ff\u0152\u0153\u2010-\u203a\u20ac]*")
"""Letters and signs of the languages that are written in Latin-1, and œ."""


def is_foreign(text: str, languages: Collection[str]) -> bool:
    """Whether a text is in none of some languages, by its small words or else by its letters.

    One that has no small words of any language, and letters beyond ASCII, is not in English. Other
    languages of Western Europe have letters of Latin-1.
    """
    words = fold_words(text[:MAX_QUERY_CHARACTERS])
    guessed = guess_language(words)
    if guessed not in languages:
        return True
    if guessed != DEFAULT_LANGUAGE or not ENGLISH_WORDS.isdisjoint(words):
        return False
    joined = "".join(words)
    if set(languages) == {DEFAULT_LANGUAGE}:
        return not joined.isascii()
    return _WEST_EUROPEAN.fullmatch(joined) is None


_READ_SHARE = 5 / 6
_LATIN = re.compile("[\u0000-\u024f\u0300-\u036f\u1e00-\u1eff\u2010-\u203a\u20ac]*")
_ALSO_ELSEWHERE = frozenset(
    """a ai al ale au az ba ben bin by ce ci co con da de den din do e ei en este go i je jak kim la
    le ma mai man me mi mu na ne nie no o od on per po sa se si so son sol ta tak te ten to tu ty u
    un va var ve was y za""".split()  # noqa: SIM905
)
"""Small words that Slavic languages, Turkish, Hungarian or Romanian have too."""
_LEAST_SMALL_SHARE = 0.5


def is_unread(text: str) -> bool:
    """Whether a text has many words in letters that are none of Western Europe's.

    No local model has learned such a language: what is near in its vectors is not alike. A name in
    Latin letters ("Where does Şükrü live?") leaves a text readable.
    """
    read_text = text[:MAX_QUERY_CHARACTERS]
    words = fold_words(read_text)
    unread = [word for word in words if not _WEST_EUROPEAN.fullmatch(word)]
    if len(words) - len(unread) >= _READ_SHARE * len(words):
        return False
    return not (all(map(_LATIN.fullmatch, unread)) and _is_taught(read_text, words, unread))


def _is_taught(text: str, words: Sequence[str], unread: Sequence[str]) -> bool:
    """Whether words are in a language of Western Europe, but for names or few others."""
    small = find_small_words(words) - _ALSO_ELSEWHERE - set(unread)
    if len(small) >= _LEAST_SMALL_SHARE * len(words):
        return True
    named = {name for word in text.split() if word[:1].isupper() for name in fold_words(word)}
    return bool(small) and named.issuperset(unread) and len(unread) <= len(words) / 2


# Building a query from a message and the exchanges before it.


_MAX_EXCHANGES = 3
_CONTEXT_WEIGHT = 0.35
_ANSWER_SHARE = 0.7
_FADING_PER_EXCHANGE = 0.5
_LAST_SAID_WEIGHT = 0.7
_LAST_ANSWER_WEIGHT = 0.5
_EARLIER_SAID_WEIGHT = 0.3
_MAX_TOKENS = 64
_MAX_ANSWER_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a person said, and the answer."""

    said: str
    answered: str


def recent_exchanges(history: Sequence[object]) -> tuple[Exchange, ...]:
    """Return the last exchanges of a history without blocks, oldest first."""
    found: list[Exchange] = []
    for message in recent_messages(history):
        if is_human(message):
            found.append(Exchange(clean_message(text_of(message)), ""))
        elif is_assistant(message) and found:
            answered = f"{found[-1].answered} {text_of(message)}".strip()
            found[-1] = replace(found[-1], answered=answered)
    return tuple(found)


def recent_messages(history: Sequence[object]) -> Sequence[object]:
    """Return the messages of the last exchanges, without reading the history from its start."""
    people = (place for place in reversed(range(len(history))) if is_human(history[place]))
    return history[next(islice(people, _MAX_EXCHANGES - 1, None), 0) :]


def build_query(text: str, exchanges: Sequence[Exchange]) -> SearchQuery:
    """Build the query for a cleaned message, given the exchanges before it.

    Only a follow-up gets context; its own words have the most weight.
    """
    own = extract_query_terms(text[:MAX_QUERY_CHARACTERS])
    alone = replace(SearchQuery.of(text), texts=(to_weighted_text(text),))
    if not exchanges or not is_follow_up(text):
        return alone
    context = tuple(_context_terms(own, exchanges))
    texts = (*alone.texts, *_context_texts(exchanges))
    return replace(alone, terms=(*own, *context), texts=texts, context=context)


def to_weighted_text(text: str) -> WeightedText:
    """Convert a message into the text that is embedded for it."""
    return WeightedText(select_informative_words(text, _MAX_TOKENS))


def _context_terms(own: Sequence[QueryTerm], exchanges: Sequence[Exchange]) -> list[QueryTerm]:
    """Collect the terms of the exchanges; older exchanges and answers have less weight."""
    seen = {term.alternatives for term in own}
    found: dict[tuple[str, ...], QueryTerm] = {}
    for distance, exchange in enumerate(reversed(exchanges)):
        weight = _CONTEXT_WEIGHT * _FADING_PER_EXCHANGE**distance
        for part, share in ((exchange.said, 1.0), (exchange.answered, _ANSWER_SHARE)):
            for term in extract_query_terms(part[:MAX_QUERY_CHARACTERS]):
                if not term.is_stop_word and term.alternatives not in seen:
                    found.setdefault(term.alternatives, replace(term, weight=weight * share))
    return list(found.values())


def _context_texts(exchanges: Sequence[Exchange]) -> list[WeightedText]:
    """Select texts of the exchanges to embed, in the form in which they were embedded before."""
    last = exchanges[-1]
    texts = [
        WeightedText(select_informative_words(last.said, _MAX_TOKENS), _LAST_SAID_WEIGHT),
        WeightedText(
            select_informative_words(last.answered, _MAX_ANSWER_TOKENS), _LAST_ANSWER_WEIGHT
        ),
    ]
    if len(exchanges) > 1:
        texts.append(
            WeightedText(
                select_informative_words(exchanges[-2].said, _MAX_TOKENS), _EARLIER_SAID_WEIGHT
            )
        )
    return [each for each in texts if each.text]
