"""Text without a model: terms, statements, extraction, redaction, questions, summaries."""
