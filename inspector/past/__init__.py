"""The past: what an inspection looked like as of an entry, as the objects that screens read."""
