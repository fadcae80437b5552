"""The face by subject: the calls of `Tacit`, a class for each thing they are about."""

from tacit.engine.face.archives import Archives
from tacit.engine.face.erasing import Erasing
from tacit.engine.face.grounding import Groundings
from tacit.engine.face.lessons import Lessons
from tacit.engine.face.memories import Memories
from tacit.engine.face.observation import Observation
from tacit.engine.face.projects import Projects
from tacit.engine.face.relations import Relations
from tacit.engine.face.reviews import Reviews
from tacit.engine.face.sessions import Sessions
from tacit.engine.face.turns import Turns
from tacit.engine.face.upkeep import Upkeep

__all__ = [
    "Archives",
    "Erasing",
    "Groundings",
    "Lessons",
    "Memories",
    "Observation",
    "Projects",
    "Relations",
    "Reviews",
    "Sessions",
    "Turns",
    "Upkeep",
]
