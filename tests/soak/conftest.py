"""What the long tests of the app share with its browser tests."""

from tests.browser.conftest import browser  # noqa: F401

collect_ignore = ["site"]
"""Started by a server, not a test; and some Pythons, such as Debian's, have imported another module of its name."""
