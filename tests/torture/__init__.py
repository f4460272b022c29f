"""Torture, as curl does it: the k-th call that may fail fails, for every k of a session."""
