"""More of the HTTP API over a cluster: tests whose names another module has too."""

import pytest

from tests.api.test_feed import *  # noqa: F403
from tests.api.test_records import *  # noqa: F403

pytestmark = pytest.mark.slow

# It damages a log with the client of a single server.
del test_an_imported_game_closed_at_its_fault_stays_in_nobody_else_s_lists  # noqa: F821
