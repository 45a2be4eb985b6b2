"""How well and how fast dice are read: over labelled photos, and against floors measured in the same run."""
