"""OAuth for HTTP servers. The rules and the flow are pure: bytes, random bytes and `now` are passed
in, and the import contracts in pyproject.toml name the modules that hold to it. Around them stand
the few that send, keep, listen and sign; `authority` is where they come together.
"""
