"""A judge of the reader: tables with dice by another hand, marched along rays."""
