"""The face by subject: the calls of `RemoteTacit`, a class for each thing they are about."""

from tacit.client.face.archives import Archives
from tacit.client.face.memories import Memories
from tacit.client.face.observation import Observation
from tacit.client.face.relations import Relations
from tacit.client.face.sessions import Sessions
from tacit.client.face.turns import Turns

__all__ = ["Archives", "Memories", "Observation", "Relations", "Sessions", "Turns"]
