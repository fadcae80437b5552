"""A form for settings, built from their definitions, and what several who edit them need."""

from tacit.ui.form.form import SettingsForm

__all__ = ["SettingsForm"]
