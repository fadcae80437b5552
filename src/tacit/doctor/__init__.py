"""Finding what is wrong with an installation, and saying how to mend it."""

from tacit.doctor.examination import CHECKS, Check, examine
from tacit.doctor.finding import Finding, Level
from tacit.doctor.installation import Installation

__all__ = ["CHECKS", "Check", "Finding", "Installation", "Level", "examine"]
