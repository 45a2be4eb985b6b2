"""A judge of the reader: tables with dice by another hand, staged in Blender and taken by a camera with its faults."""
