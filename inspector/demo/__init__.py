"""The built-in demo server: a real server on the official SDK, to look around with and to test on.

It is a peer, started as a process of its own; nothing of the inspector is imported here.
"""
