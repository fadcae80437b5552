"""What a text speaks of: the speaker, what is theirs, food, or a rule."""

from tacit.language.function_words import SPEAKERS, load_word_lists, split_words

_LISTS = load_word_lists("topics.toml")
_OWN = _LISTS["own"]
_SELF = _LISTS["self"]
_OTHERS = _LISTS["others"]
_FOOD = _LISTS["food"]
_RULES = _LISTS["rules"]
_HOW = frozenset({"how", "wie", "comment", "cómo", "как"})


def states_rule(text: str) -> bool:
    """Whether a text says what is always or never to be done: "don't autogenerate them"."""
    return not _RULES.isdisjoint(split_words(text))


def speaks_of_food(text: str) -> bool:
    """Whether a text is about what is eaten or drunk."""
    return not _FOOD.isdisjoint(split_words(text))


def speaks_of_own(text: str) -> bool:
    """Whether a message speaks of what is the speaker's: "our database", "do we", "my sister"."""
    return not _OWN.isdisjoint(split_words(text))


def speaks_of_self(text: str) -> bool:
    """Whether a text speaks of one person, the speaker: "no nuts for me", "my living room"."""
    words = split_words(text)
    return any(word in _SELF and _concerns_speaker(words, at) for at, word in enumerate(words))


def speaks_for_self(text: str) -> bool:
    """Whether the speaker is concerned: "can I", "write me"; "how do I" asks what anybody would."""
    words = split_words(text)
    return any(_concerns_speaker(words, at) for at in range(len(words)))


def _concerns_speaker(words: list[str], place: int) -> bool:
    """Whether the word at a place is the speaker, or says what is theirs; "my sister" is not."""
    following = words[place + 1] if place + 1 < len(words) else ""
    is_own = words[place] in _OWN and following not in _OTHERS
    is_speaker = words[place] in SPEAKERS and (place < 2 or words[place - 2] not in _HOW)
    return is_own or is_speaker
