"""The client engine: opens a session, frames requests, answers the server, keeps what is known."""
