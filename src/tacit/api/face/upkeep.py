"""Upkeep: memories are kept few, current and related."""

from functools import partial

from tacit.api.face.face import Face
from tacit.core.kinds import Actor
from tacit.writing.upkeep.maintenance import UpkeepDependencies, check_upkeep_limit, run_upkeep
from tacit.writing.upkeep.report import UpkeepReport


class Upkeep(Face):
    """What is done now and then over all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        """Forget what has faded, merge what says the same, relate what is near; says what and why.

        One pass looks at `limit` memories at most, or as many as the settings say, and the next
        one goes on after them. A dry run changes nothing.
        """
        settings = self._current().upkeep
        most = settings.batch if limit is None else check_upkeep_limit(limit)
        means = UpkeepDependencies(
            store=self._store,
            workspace=self._workspace,
            searcher=self._searcher,
            embedder=self._embedder,
            clock=self._clock,
            write=partial(self._write, Actor.SYSTEM),
        )
        return run_upkeep(means, settings, limit=most, dry_run=dry_run)
