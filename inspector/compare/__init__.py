"""What differs between two recordings."""
