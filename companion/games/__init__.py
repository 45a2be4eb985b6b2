"""The games, each as three pure functions: ask, apply, outcome."""
