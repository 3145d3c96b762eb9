"""Where things are, whichever folder a test stands in."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
"""Real pictures; not on every machine."""
VECTORS = ROOT / "tests" / "vectors"
