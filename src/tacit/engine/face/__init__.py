"""The face by subject: the calls of `Tacit`, a class for each thing they are about."""

from tacit.engine.face.archives import Archives
from tacit.engine.face.memories import Memories
from tacit.engine.face.observation import Observation
from tacit.engine.face.relations import Relations
from tacit.engine.face.sessions import Sessions
from tacit.engine.face.turns import Turns

__all__ = ["Archives", "Memories", "Observation", "Relations", "Sessions", "Turns"]
