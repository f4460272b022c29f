"""Every screen as a picture, on recorded sessions."""
