"""Guided routines that measure the camera, tray, dice, ring and buttons, and their dated results."""
