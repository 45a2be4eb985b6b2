"""From pictures to dice: reading, settling, and the drawn scenes that test both."""
