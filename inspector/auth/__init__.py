"""OAuth for HTTP servers: pure rules here, told apart from the sockets, files and browser around
them. Nothing in this room does I/O or reads a clock: bytes, random bytes and `now` are passed in.
"""
