"""Picture files and frames, by the names the rooms of the vision know them."""

from companion.pictures import load, normalise

__all__ = ["load", "normalise"]
