"""The calls that a store in this process and a server have in common, documented here once.

`Tacit` and `RemoteTacit` inherit these classes, and `AsyncTacit` derives its calls from them.
A method whose further keywords may have any name takes `self, /`: type checkers then can take
`self` off its signature.
"""
