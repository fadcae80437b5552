"""Where memories are kept: small protocols, one algorithm, several backends."""

from tacit.store.indexed import Indexed, IndexedBatch
from tacit.store.journal import Journal
from tacit.store.opening import open_store
from tacit.store.protocols import Store, Unit
from tacit.store.query import Counts, Query

__all__ = ["Counts", "Indexed", "IndexedBatch", "Journal", "Query", "Store", "Unit", "open_store"]
