"""The ``zulong`` command: bring the mind up, look at it, talk to it, take it down."""
