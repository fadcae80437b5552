"""Work on a whole workspace: export, import, upkeep, and migration to another store."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Protocol, Unpack

from tacit.api.configuration import load_configuration
from tacit.api.memory_embedder import MemoryEmbedder, switch_places
from tacit.api.protocols.observation import ArchiveProtocol, UpkeepProtocol
from tacit.api.workspace import Part
from tacit.core.errors import ArchiveError, InvalidInput, StoreUnavailable
from tacit.core.fields import check_field
from tacit.core.json_value import JsonValue
from tacit.core.kinds import Actor, check_choice
from tacit.core.owners import parse_owner
from tacit.core.permissions import Viewer
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import Progress, ignore_progress
from tacit.settings.search import LateInteraction
from tacit.settings.writing import EpisodePolicy
from tacit.store.backends import open_store, store_exists
from tacit.store.generations import (
    drop_other_generations,
    give_up_filling,
    serve_previous,
)
from tacit.store.location import is_url
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import episodes_workspace, items_workspace
from tacit.writing.archive.contents import read_contents
from tacit.writing.archive.files import (
    ArchiveFile,
    Format,
    ImportReport,
    file_name_of,
    open_for_reading,
    open_for_writing,
)
from tacit.writing.archive.importer import Importer, SplitRecords
from tacit.writing.archive.move import MoveReport, move_workspaces, select_workspaces
from tacit.writing.archive.records import ItemsRecord, export_archive
from tacit.writing.draft import DraftFields, MemoryDraft, check_fields
from tacit.writing.learning.episodes import oldest_kept
from tacit.writing.upkeep.maintenance import UpkeepDependencies, check_upkeep_limit, run_upkeep
from tacit.writing.upkeep.report import UpkeepReport


class EmbeddingStage(StrEnum):
    """What is made of a text: its vector, which finds it, and its tokens, which rank it."""

    VECTORS = "vectors"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingReport(JsonValue):
    """Of how many memories, episodes, items and document chunks vectors and tokens were made."""

    vectors: int = 0
    tokens: int = 0


class _Filler(Protocol):
    """Makes what the memories of a place lack."""

    def count_missing(self) -> int:
        """How many memories lack it."""

    def fill_missing(self, made: Callable[[int], None]) -> None:
        """Make it; `made` is called with how many more have it."""


class Archive(Part, ArchiveProtocol):
    """Export and import of a whole workspace."""

    def export_to(
        self, target: ArchiveFile, *, embeddings: bool = False, owner: str | None = None
    ) -> int:
        whose = None if owner is None else parse_owner(owner)
        now, store, name = self._context.clock(), self._context.store, self._context.name
        with (
            open_for_writing(target) as file,
            store.read(name) as unit,
            store.read(episodes_workspace(name)) as said,
            store.read(items_workspace(name)) as items,
        ):
            return export_archive(
                unit, said, items, file, now=now, embeddings=embeddings, owner=whose
            )

    def import_from(
        self,
        source: ArchiveFile,
        *,
        format: Format | str = Format.AUTO,
        by: Actor | str = Actor.IMPORT,
        name: str | None = None,
        accept_rules: bool = False,
        progress: Callable[[int], None] = lambda _: None,
        only_for: Viewer | None = None,
        org_rules: bool = True,
        **defaults: Unpack[DraftFields],
    ) -> ImportReport:
        named = file_name_of(source, name)
        importer = Importer(
            self._context.name,
            check_fields(defaults),
            only_for,
            org_rules=org_rules,
            accept_rules=accept_rules,
        )
        places = {self._context.name}
        with open_for_reading(source) as file:
            found = read_contents(file, check_choice("format", Format, format), named)
            for lines in found.chunks():
                split = SplitRecords.of(importer.parse(lines))
                embedded = self._context.memory_embedder.embed_new(
                    [each for _, each in split.known if isinstance(each, MemoryDraft)]
                )
                work = partial(importer.write, records=split.known, embedded=embedded)
                importer.settle(self._context.write(by, work))
                if split.said:
                    places.add(episodes_workspace(self._context.name))
                    oldest = self._oldest_imported(found.format)
                    keep = partial(importer.write_episodes, records=split.said, oldest=oldest)
                    importer.settle(self._context.write_episodes(check_field("by", by), keep))
                if split.items:
                    places.add(items_workspace(self._context.name))
                    self._import_items(importer, split.items, check_field("by", by))
                progress(sum(line.size for line in lines))
        self._context.write(by, importer.finish)
        for place in places:
            self._context.store.settle(place)
        self._context.encoding.schedule()  # records of an archive are no new changes
        return importer.report(found.format)

    def _import_items(
        self, importer: Importer, items: Sequence[tuple[int, ItemsRecord]], by: Actor
    ) -> None:
        """Write the items of an archive; those without vectors get them soon."""
        with self._context.store.write(items_workspace(self._context.name)) as unit:
            chunk = importer.write_items(unit, by, items, self._context.clock())
        importer.settle(chunk)
        self._context.item_embedding.schedule()

    def _oldest_imported(self, format: Format) -> datetime | None:
        """The moment before which nothing that was said to another program is kept."""
        settings = self._context.episode_settings()
        if format is not Format.CHATGPT:
            return None
        if settings.policy is EpisodePolicy.OFF:
            raise ArchiveError('nothing that was said is kept; set episodes = "user" to import it')
        return oldest_kept(self._context.clock(), settings.days)

    def embed_missing(
        self, *, stage: EmbeddingStage | str | None = None, progress: Progress = ignore_progress
    ) -> EmbeddingReport:
        """Make the vectors, then the tokens, that memories, episodes, documents and items lack.

        With a stage only its part is done. Where the vectors of another model serve, those of this
        one are made beside them, and serve when they are complete; a model that was left behind is
        begun again by `change_model` alone. Interrupted work is resumed by the next call.
        `progress` receives the stage, how many are done, and the total of the stage.
        """
        stages = list(EmbeddingStage)
        if stage is not None:
            stages = [check_choice("stage", EmbeddingStage, stage)]
        return self._embed(stages, progress, is_asked=False)

    def change_model(self, *, progress: Progress = ignore_progress) -> EmbeddingReport:
        """Make the vectors and tokens of this embedder's model and switch, though it served before.

        The vectors of the former model serve meanwhile, and stay until `drop_old_vectors`.
        """
        return self._embed(list(EmbeddingStage), progress, is_asked=True)

    def restore_model(self) -> str:
        """Go back: give up the vectors that are being made, or have the previous model serve again.

        Returns the name of the model that serves. What was written since the switch is found by
        words until the next `embed_missing` of a program that runs that model.
        """
        served = self._change_places(give_up_filling) or self._change_places(serve_previous)
        if served is None:
            raise InvalidInput("model", "there are no vectors of a previous model to go back to")
        return served.name

    def drop_old_vectors(self) -> int:
        """Remove the vectors and tokens of all models that neither serve nor are being made.

        Returns how many vectors; they can no longer be gone back to.
        """
        dropped = 0
        for place in self._places:
            tokens = place.find_token_models(self._late_interaction)
            dropped += drop_other_generations(self._context.store, place.workspace, tokens)
        return dropped

    def _change_places(
        self, change: Callable[[UnitOfWork], EmbeddingModel | None]
    ) -> EmbeddingModel | None:
        """Change the generations of all places; returns the model that serves them then, if any."""
        served = []
        for place in self._places:
            with self._context.store.write(place.workspace) as unit:
                served.append(change(unit))
        return next((each for each in served if each is not None), None)

    @property
    def _places(self) -> tuple[MemoryEmbedder, ...]:
        """The workspaces that have vectors: of memories, episodes, documents and items."""
        return self._context.places

    def _embed(
        self, stages: Sequence[EmbeddingStage], progress: Progress, *, is_asked: bool
    ) -> EmbeddingReport:
        makes_vectors = EmbeddingStage.VECTORS in stages
        with self._context.switching.paused():
            for place in self._places if makes_vectors else ():
                place.begin_generation(is_asked=is_asked)
            made = {str(each): self._embed_stage(each, progress) for each in stages}
            is_switched = switch_places(self._places, self._late_interaction)
            for _ in range(_SWITCH_TRIES if makes_vectors else 0):
                if is_switched:
                    break
                more = self._embed_stage(EmbeddingStage.VECTORS, progress)
                made[EmbeddingStage.VECTORS] += more
                is_switched = switch_places(self._places, self._late_interaction)
                if not more:
                    break
        return EmbeddingReport(**made)

    def _embed_stage(self, stage: EmbeddingStage, progress: Progress) -> int:
        if stage is EmbeddingStage.VECTORS:
            return _fill_stage(stage, self._places, progress)
        encodings = (
            self._context.encoding,
            self._context.episode_encoding,
            self._context.document_encoding,
        )
        with ExitStack() as pauses:
            for each in encodings:
                pauses.enter_context(each.paused())
            return _fill_stage(stage, encodings, progress)

    @property
    def _late_interaction(self) -> LateInteraction:
        return self._context.current_config().search.late_interaction


_SWITCH_TRIES = 20
"""How often is caught up with what others wrote without the vector of the new model."""


def _fill_stage(stage: EmbeddingStage, fillers: Sequence[_Filler], progress: Progress) -> int:
    """Fill several places as one; returns how many were made."""
    total = sum(each.count_missing() for each in fillers)
    done = 0

    def note(more: int) -> None:
        nonlocal done
        done += more
        progress(str(stage), done, max(total, done))

    for each in fillers:
        each.fill_missing(note)
    return done


# Upkeep


class Upkeep(Part, UpkeepProtocol):
    """Upkeep of all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        settings = self._context.current_config().upkeep
        most = settings.batch if limit is None else check_upkeep_limit(limit)
        means = UpkeepDependencies(
            store=self._context.store,
            workspace=self._context.name,
            searcher=self._context.searcher,
            embed=self._context.memory_embedder.embed_texts,
            clock=self._context.clock,
            write=partial(self._context.write, Actor.SYSTEM),
        )
        return run_upkeep(means, settings, limit=most, dry_run=dry_run)


# Migration


_IN_MEMORY = ":memory:"


def migrate(
    source: str | Path,
    target: str | Path,
    *,
    workspaces: Iterable[str] | None = None,
    config: Path | str | None = None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> MoveReport:
    """Copy everything from one store to another, unchanged, and compare both sides.

    Stores are named as for `Tacit.open`; `workspaces` limits the copy to some workspaces. An
    interrupted copy can be repeated. Existing data of the target is never changed: if it has
    something else under the same id, or the same statement under another, the copy is refused
    (`MoveRefused`) before anything is written. `progress` receives the stage, what is done, and
    the total, 0 if that is unknown.
    """
    _check_lasting(source, target)
    _check_source_exists(source)
    settings = load_configuration(config).postgres
    with closing(open_store(source, settings)) as here:
        names = select_workspaces(here, workspaces)
        with closing(open_store(target, settings)) as there:
            _check_different(here, there)
            moved = move_workspaces(here, there, names, progress=progress)
            return MoveReport(
                source=_describe_location(here), target=_describe_location(there), workspaces=moved
            )


def _check_lasting(source: str | Path, target: str | Path) -> None:
    for field, location in (("source", source), ("target", target)):
        if str(location) == _IN_MEMORY:
            problem = "lasts as long as the process; give a file or postgresql://user@host/database"
            raise InvalidInput(field, f"{_IN_MEMORY} {problem}")


def _check_source_exists(source: str | Path) -> None:
    """Refuse a source that does not exist; it is never created."""
    if not store_exists(source):
        place = "the database" if is_url(source) else source
        raise StoreUnavailable(f"{place}: there are no memories to move from; check its name")


def _check_different(here: Store, there: Store) -> None:
    """Refuse to copy a store onto itself, under any of its paths or URLs."""
    one, other = Path(_describe_location(here)), Path(_describe_location(there))
    identity = here.describe().get("identity")
    is_one = identity is not None and identity == there.describe().get("identity")
    if is_one or one == other or (one.exists() and other.exists() and one.samefile(other)):
        raise InvalidInput("target", "is the same store as the source; name another place")


def _describe_location(store: Store) -> str:
    """Where a store is, without its password."""
    return str(store.describe()["path"])
