"""The HTTP API over a cluster: the tests that run over the memory store and over one server."""

import pytest

from tests.api.test_audits import *  # noqa: F403
from tests.api.test_commands import *  # noqa: F403
from tests.api.test_games import *  # noqa: F403
from tests.api.test_lobby import *  # noqa: F403
from tests.api.test_play_on import *  # noqa: F403
from tests.api.test_players import *  # noqa: F403
from tests.api.test_record import *  # noqa: F403
from tests.api.test_seats import *  # noqa: F403

pytestmark = pytest.mark.slow

# It looks with the client of a single server.
del test_the_token_is_kept_only_as_its_hash  # noqa: F821
