"""What the long tests of the app share with its browser tests."""

from tests.browser.conftest import browser  # noqa: F401
