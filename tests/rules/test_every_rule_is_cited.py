"""No rule without a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

RULES = [f"R{number}" for number in range(1, 24)] + [f"C{number}" for number in range(1, 13)] + ["F1"]


def test_every_rule_is_cited():
    tests = " ".join(file.read_text() for file in Path(__file__).parent.glob("test_*.py"))
    assert set(re.findall(r"def test_([RCF]\d+)_", tests)) == set(RULES)
