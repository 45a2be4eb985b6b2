"""Guided measuring of the camera, tray, dice, Wild die, ring and buttons, and the dated results."""
