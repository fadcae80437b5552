"""The face by subject: the calls of `RemoteTacit`, a class for each thing they are about."""

from tacit.client.face.archives import Archives
from tacit.client.face.erasing import Erasing
from tacit.client.face.grounding import Groundings
from tacit.client.face.lessons import Lessons
from tacit.client.face.memories import Memories
from tacit.client.face.observation import Observation
from tacit.client.face.owners import Owners
from tacit.client.face.relations import Relations
from tacit.client.face.reviews import Reviews
from tacit.client.face.sessions import Sessions
from tacit.client.face.turns import Turns
from tacit.client.face.upkeep import Upkeep

__all__ = [
    "Archives",
    "Erasing",
    "Groundings",
    "Lessons",
    "Memories",
    "Observation",
    "Owners",
    "Relations",
    "Reviews",
    "Sessions",
    "Turns",
    "Upkeep",
]
