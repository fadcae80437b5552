"""The server: the library's calls over HTTP, for other programs and for operators.

A door: it translates and calls. It needs the extra `server`.
"""
