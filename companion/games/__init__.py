"""The games, each as three pure functions: ask, apply, outcome."""

# Raised whenever a change of the rules could make a recorded game end differently; every journal notes it.
RULES_VERSION = 1
