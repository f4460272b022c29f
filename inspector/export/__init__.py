"""Recordings in other formats: evidence on its way out."""
