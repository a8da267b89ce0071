"""Step *Data*: open records, say how they are read, see what was dropped and why."""
