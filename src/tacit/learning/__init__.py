"""Memory that fills itself: from what people said in turns, once, without echoes and junk."""

from tacit.learning.learner import Learner, Means
from tacit.learning.lesson import Learned, Lesson, Verdict

__all__ = ["Learned", "Learner", "Lesson", "Means", "Verdict"]
