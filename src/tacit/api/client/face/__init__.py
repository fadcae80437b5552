"""The face by subject: the calls of `RemoteTacit`, a class for each thing they are about."""
