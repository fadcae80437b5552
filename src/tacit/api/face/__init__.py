"""The face by subject: the calls of `Tacit`, a class for each thing they are about."""
