"""Summaries: what a transcript leaves behind when there is no room for all of it."""

from tacit.summary.extractive import ExtractiveSummarizer
from tacit.summary.llm import LLMSummarizer
from tacit.summary.summarizer import Summarizer

__all__ = ["ExtractiveSummarizer", "LLMSummarizer", "Summarizer"]
