"""Prompt policy: the system side of a prompt, in layers that people write as files."""

from tacit.grounding.policy.composing import composed
from tacit.grounding.policy.finding import MOST_SKILLS, layers_of
from tacit.grounding.policy.layer import Kind, Layer, State
from tacit.grounding.policy.policy import Fate, Policy, PolicyLine, Share
from tacit.grounding.policy.role import PromptRole
from tacit.grounding.policy.spot import Spot, spots

__all__ = [
    "MOST_SKILLS",
    "Fate",
    "Kind",
    "Layer",
    "Policy",
    "PolicyLine",
    "PromptRole",
    "Share",
    "Spot",
    "State",
    "composed",
    "layers_of",
    "spots",
]
