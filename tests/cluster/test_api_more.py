"""More of the HTTP API over a cluster: tests whose names another module has too."""

import pytest

from tests.api.test_feed import *  # noqa: F403
from tests.api.test_records import *  # noqa: F403

pytestmark = pytest.mark.slow
