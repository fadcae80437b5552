"""Memory in the calls of a model: what the proxy, the wrappers and the integrations share.

A program, a client or a framework keeps a history without blocks. `formats` reads the requests and
replies of the providers' APIs, `memory` puts blocks into messages and records replies.
"""
