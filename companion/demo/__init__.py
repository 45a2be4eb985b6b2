"""A table that needs no hardware: a drawn tray, and players who press the buttons by chance."""
