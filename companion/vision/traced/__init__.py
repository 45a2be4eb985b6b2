"""Dice scenes traced by Blender's Cycles: light as it falls, on bodies and grounds that nothing else here knows.

What `companion.vision.scene` draws in a hundredth of a second is painted: gloss, glass and shadow are rules of thumb.
These pictures take seconds each, and look like photos. They judge a reader on dice that it has never seen, and can
teach it. `python -m companion.vision.traced --help` tells how to make a folder of labelled pictures.
"""
