"""Recordings of real servers, the script that made them, and the stage they are played on."""
