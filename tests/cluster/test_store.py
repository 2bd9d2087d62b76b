"""The promises of the stores, kept by a cluster: the same tests as for one server."""

import pytest

from tests.store.test_people import *  # noqa: F403
from tests.store.test_store import *  # noqa: F403

pytestmark = pytest.mark.slow

# It looks with the client of a single server.
del test_what_redis_holds_of_a_guest  # noqa: F821
