"""Keeping what was said: from a captured turn to episodes, each message once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tacit.core.episodes import Episode, EpisodeRole, to_episode_id
from tacit.core.kinds import PERSONS, Owner, Trust
from tacit.core.open_turn import CapturedTurn
from tacit.language.passages import Passage, cut_passages
from tacit.language.sentences import split_sentences
from tacit.runtime.clock import Clock, NewId
from tacit.settings.writing import EpisodePolicy, WritePolicy, WritingSettings
from tacit.statements.common_words import says_several_things
from tacit.statements.judge import StatementJudge
from tacit.store.episodes import EpisodeTable, owner_of
from tacit.store.protocols.store import Store
from tacit.store.workspaces import episodes_workspace
from tacit.writing.learning.authorship import EarlierTurn
from tacit.writing.learning.echoes import InjectedMemory, find_echo, remove_pasted_blocks

ShownMemories = Callable[[str], Sequence[InjectedMemory]]
"""What a session was shown."""

DoubtMessage = Callable[[CapturedTurn, str], bool]
"""Whether a message of a turn may hold the words of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeSettings:
    """Whose words are kept, for how long, and how many."""

    policy: EpisodePolicy
    days: int
    limit: int

    @classmethod
    def of(cls, settings: WritingSettings, *, is_set: bool) -> "EpisodeSettings":
        """The settings in force; where people review what is written, only if they are set."""
        policy = settings.episodes
        if settings.write_policy is WritePolicy.REVIEW and not is_set:
            policy = EpisodePolicy.OFF
        return cls(policy=policy, days=settings.episode_days, limit=settings.episode_limit)


@dataclass(frozen=True, slots=True)
class LearnedStatement:
    """A memory, a digest of its words, and the sentence of a turn that it was learned from."""

    turn: CapturedTurn
    sentence: str
    memory: str
    wording: str


@dataclass(frozen=True, slots=True)
class _KeptPassage:
    """A part of a message that is kept, and the key of its message."""

    turn: CapturedTurn
    role: EpisodeRole
    passage: Passage
    message_key: str
    is_doubtful: bool
    """Whether its message may hold the words of others."""

    @property
    def trust(self) -> Trust:
        """What a person says is trusted, unless somebody else may have written it."""
        is_own = self.role is EpisodeRole.USER and not self.is_doubtful
        return Trust.TRUSTED if is_own else Trust.UNVERIFIED

    @property
    def owner(self) -> Owner:
        """Whose it is."""
        return self.turn.episode_owner


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeWriter:
    """Keeps what was said in the turns of one workspace."""

    store: Store
    workspace: str
    settings: Callable[[], EpisodeSettings]
    shown: ShownMemories
    clock: Clock
    new_id: NewId
    encode: Callable[[], None]
    """Embeds what was added, and encodes its tokens soon."""
    find_alike: Callable[[Episode], Sequence[Episode]]
    """What the same person said that may be about the same."""
    judge: Callable[[], StatementJudge]

    def keep(self, turns: Iterable[CapturedTurn], is_doubtful: DoubtMessage) -> list[Episode]:
        """Keep what was said in turns; returns what had not been kept before."""
        settings = self.settings()
        passages = [
            each
            for turn in turns
            for each in self._select_passages(turn, settings.policy, is_doubtful)
        ]
        if not passages:
            return []
        with self.store.write(episodes_workspace(self.workspace)) as unit:
            table = EpisodeTable(unit)
            added = [each for each in map(_EpisodeAdder(table, self.new_id), passages) if each]
            for owner in dict.fromkeys(map(owner_of, added)):
                self._prune(table, owner, settings)
        if added:
            self.encode()
            self._note_replaced(added)
        return added

    def prune_old(self) -> None:
        """Remove what is older than the settings say, whoever said it."""
        now = self.clock()
        oldest = oldest_kept(now, self.settings().days)
        if oldest is not None:
            with self.store.write(episodes_workspace(self.workspace)) as unit:
                EpisodeTable(unit).prune_before(oldest, now)

    def take_back(self, episodes: Iterable[Episode]) -> None:
        """Remove episodes whose turns were erased while they were written."""
        ids = [each.id for each in episodes]
        if ids:
            with self.store.write(episodes_workspace(self.workspace)) as unit:
                EpisodeTable(unit).remove(ids)

    def doubt(self, turns: Sequence[EarlierTurn]) -> Mapping[str, datetime]:
        """Doubt whose words were said in turns.

        Returns the memories that were learned of them, and when the words were said.
        """
        learned: dict[str, datetime] = {}
        if not turns:
            return learned
        with self.store.write(episodes_workspace(self.workspace)) as unit:
            table = EpisodeTable(unit)
            for turn in turns:
                said = table.of_turn(turn.id, turn.session, turn.owner, self.clock())
                learned |= table.doubt([each.id for each in said if each.role is EpisodeRole.USER])
        return learned

    def note_learned(self, found: Iterable[LearnedStatement]) -> None:
        """Note from which episodes memories were learned: those with the words of the sentence."""
        with self.store.write(episodes_workspace(self.workspace)) as unit:
            table = EpisodeTable(unit)
            for each in found:
                turn = each.turn
                said = table.of_turn(turn.id, turn.session, turn.episode_owner, self.clock())
                holding = [episode.id for episode in said if each.sentence in episode.text]
                ids = holding or [episode.id for episode in said]
                table.note_learned(ids, each.memory, each.wording)

    def _note_replaced(self, added: Iterable[Episode]) -> None:
        """Note what earlier words the new ones clearly replace, whole or in part."""
        alike = [
            (old, new)
            for new in added
            if _tells(new)
            for old in self.find_alike(new)
            if _precedes(old, new)
        ]
        found = self.judge().compare([(old.text, new.text) for old, new in alike])
        replaced = [
            (old.id, new.id, verdict.in_part or says_several_things(old.text))
            for (old, new), verdict in zip(alike, found, strict=True)
            if verdict.is_replaced or verdict.in_part
        ]
        if replaced:
            with self.store.write(episodes_workspace(self.workspace)) as unit:
                for old, new, in_part in replaced:
                    EpisodeTable(unit).note_replaced(old, new, in_part=in_part)

    def _prune(self, table: EpisodeTable, owner: Owner, settings: EpisodeSettings) -> None:
        now = self.clock()
        table.prune(owner, oldest_kept(now, settings.days), settings.limit, now)

    def _select_passages(
        self, turn: CapturedTurn, policy: EpisodePolicy, is_doubtful: DoubtMessage
    ) -> Iterator[_KeptPassage]:
        """What is kept of a turn; words that are not a person's are not kept as theirs."""
        if policy is EpisodePolicy.OFF or turn.by not in PERSONS:
            return
        for number, text in enumerate(turn.said):
            keys = turn.message_keys
            key = keys[number] if number < len(keys) else f"{turn.id}.{number}"
            own = remove_pasted_blocks(text)
            said = cut_passages(own)
            doubt = bool(said) and is_doubtful(turn, own)
            yield from _number(turn, EpisodeRole.USER, said, key, is_doubtful=doubt)
        if policy is EpisodePolicy.BOTH and turn.reply:
            yield from _number(
                turn, EpisodeRole.ASSISTANT, self._own_words(turn), f"{_last_key(turn)}.reply"
            )

    def _own_words(self, turn: CapturedTurn) -> list[Passage]:
        """What an assistant says that it was not shown by memory."""
        shown = self.shown(turn.session)
        sentences = split_sentences(remove_pasted_blocks(turn.reply))
        own = [each for each in sentences if find_echo(each, each, shown) is None]
        return cut_passages("\n".join(own))


def _tells(episode: Episode) -> bool:
    """Whether a person tells something with it, in words that are surely their own."""
    is_own = episode.role is EpisodeRole.USER and episode.trust is Trust.TRUSTED
    return is_own and not episode.only_asks


def _precedes(old: Episode, new: Episode) -> bool:
    """Whether words were said before others, in the same project or in none."""
    is_earlier = (old.at, old.id) < (new.at, new.id)
    return is_earlier and old.project == new.project and _tells(old)


def _number(
    turn: CapturedTurn,
    role: EpisodeRole,
    passages: Sequence[Passage],
    key: str,
    *,
    is_doubtful: bool = False,
) -> Iterator[_KeptPassage]:
    for part, passage in enumerate(passages):
        yield _KeptPassage(turn, role, passage, f"{key}.{part}", is_doubtful)


def _last_key(turn: CapturedTurn) -> str:
    return turn.message_keys[-1] if turn.message_keys else turn.id


def oldest_kept(now: datetime, days: int) -> datetime | None:
    """The moment before which nothing is kept; None if everything is."""
    return now - timedelta(days=days) if days else None


@dataclass(slots=True)
class _EpisodeAdder:
    """Adds passages one after the other, and numbers them within their session."""

    table: EpisodeTable
    new_id: NewId
    _places: dict[tuple[Owner, str], int] = field(default_factory=dict)

    def __call__(self, kept: _KeptPassage) -> Episode | None:
        """Add a passage; None if it was kept already."""
        turn, owner = kept.turn, kept.owner
        where = (owner, turn.session)
        if where not in self._places:
            self._places[where] = self.table.last_place(turn.session, owner, turn.at)
        episode = Episode(
            id=to_episode_id(self.new_id()),
            session=turn.session,
            place=self._places[where] + 1,
            role=kept.role,
            at=turn.at,
            text=kept.passage.text,
            only_asks=kept.passage.only_asks,
            user=turn.user,
            project=None if kept.passage.is_for_all_projects else turn.project,
            agent=turn.agent,
            scope=owner[0],
            trust=kept.trust,
            turn=turn.id,
        )
        if not self.table.add(episode, kept.message_key):
            return None
        self._places[where] += 1
        return episode
