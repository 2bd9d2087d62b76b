"""The promises of the keepers of statistics, kept by a cluster: as for one server."""

import pytest

from tests.store.test_statistics import *  # noqa: F403

pytestmark = pytest.mark.slow
