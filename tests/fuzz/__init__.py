"""Readers, fed with what nobody means to send."""
