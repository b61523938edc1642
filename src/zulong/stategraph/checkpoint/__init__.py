"""Checkpoints: the state of every thread after every superstep, kept in memory, LMDB or PostgreSQL."""
