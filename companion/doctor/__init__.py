"""What is well, what is degraded, what is broken, and the one thing to do about it."""

from companion.doctor.finding import Finding, State, worst

__all__ = ["Finding", "State", "worst"]
