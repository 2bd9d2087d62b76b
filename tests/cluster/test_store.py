"""The promises of the stores, kept by a cluster: the same tests as for one server."""

import pytest

from tests.store.test_people import *  # noqa: F403
from tests.store.test_store import *  # noqa: F403

pytestmark = pytest.mark.slow

# They look with the client of a single server.
del test_what_redis_holds_of_a_guest  # noqa: F821
del test_a_player_met_lately_is_not_asked_for_and_their_token_is  # noqa: F821
