"""Pictures of things with dots that are no dice: a judge of the reader (`python -m tests.bench.dotted`)."""
