"""Authorship: who wrote a memory, and what somebody says of themselves against words of others."""

from tacit.core.fields import is_key_of_person
from tacit.core.kinds import MemoryType, Scope
from tacit.core.memory import Memory
from tacit.core.permissions import outranks
from tacit.language.topics import states_habit, states_of_self
from tacit.language.word_lists import split_words

OF_THEMSELVES = "what somebody says of themselves"
"""Why the words of another author do not count."""

_NAMES_OF_USER = frozenset({"user", "user's", "nutzer", "nutzers", "utilisateur", "usuario"})
"""How a person is called who is not named, in four languages."""


def writer_of(memory: Memory) -> str | None:
    """The user whose words a memory holds; None if that is not known, empty for no user."""
    return memory.scope_id if memory.scope is Scope.USER else memory.origin.author


def shared_author(memory: Memory, reader: str) -> str | None:
    """Who wrote a memory that others share, if that is known and is not who reads it."""
    author = None if memory.scope is Scope.USER else memory.origin.author
    return None if author == reader else author


def is_about_person(memory: Memory) -> bool:
    """Whether a memory says of one person who they are, what they have or what they do."""
    return _is_identity(memory) or states_of_self(memory.content)


def stands_against(own: Memory, other: Memory) -> bool:
    """Whether what somebody says of themselves stands, whatever `other` says about them.

    `other` is of another author, in a scope that they share. What people agreed on there still
    counts more than what one of them prefers or usually does.
    """
    if other.scope is Scope.USER or outranks(other, own):
        return False
    writer = writer_of(own)
    if writer is None or not _is_by_another(own, other, writer):
        return False
    if own.scope is not Scope.USER and not is_about_person(own):
        return False
    is_ban = own.type is MemoryType.CONSTRAINT and is_about_person(own)
    is_habit = own.type is MemoryType.PREFERENCE or states_habit(own.content)
    may_yield = is_habit and not is_ban and not _is_identity(own)
    return not (may_yield and _is_agreed(other, writer))


def _is_by_another(own: Memory, other: Memory, writer: str) -> bool:
    """Whether another user wrote something; of an unknown author that counts against identity."""
    author = writer_of(other)
    if author is None:
        return bool(writer) and own.scope is Scope.USER and _is_identity(own)
    return author != writer


def _is_identity(memory: Memory) -> bool:
    return memory.type is MemoryType.IDENTITY or is_key_of_person(memory.key)


def _is_agreed(memory: Memory, person: str) -> bool:
    """Whether a shared memory says how things are done there, and not what a person does."""
    words = set(split_words(memory.content))
    is_named = not words.isdisjoint({*_NAMES_OF_USER, person.casefold()})
    return not is_named and not is_about_person(memory)
