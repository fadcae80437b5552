"""Teaches MiniLM German, French, Spanish, Italian, Portuguese and Dutch; see the README here."""
