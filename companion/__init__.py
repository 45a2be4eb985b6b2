"""The table companion: reads the dice, knows the rules, shows whose turn it is."""

__version__ = "0.1.0"
