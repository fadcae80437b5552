"""Upkeep: memories are kept few, current and related."""

from tacit.api.client.face.face import Face
from tacit.writing.upkeep.maintenance import check_upkeep_limit
from tacit.writing.upkeep.report import UpkeepReport


class Upkeep(Face):
    """What is done now and then over all memories of a workspace."""

    def upkeep(self, *, dry_run: bool = False, limit: int | None = None) -> UpkeepReport:
        """Forget what has faded, merge what says the same, relate what is near; says what and why.

        One pass looks at `limit` memories at most, or as many as the settings say, and the next
        one goes on after them. A dry run changes nothing.
        """
        asked = {"dry_run": dry_run, "limit": None if limit is None else check_upkeep_limit(limit)}
        return self._at.write("/v1/upkeep", asked, read=UpkeepReport.from_dict)
