"""Results of tasks that need not be computed again, in memory or in an SQLite file."""
