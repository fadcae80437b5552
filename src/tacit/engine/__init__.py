"""The face: the one object that programs and doors call."""
