"""The promises of the keepers of webhooks, kept by a cluster: the same tests as for one server."""

import pytest

from tests.store.test_webhooks import *  # noqa: F403

pytestmark = pytest.mark.slow

# They speak to a single server over a wire of their own, or ask one for all keys.
del test_a_lost_answer_changes_nothing  # noqa: F821
del test_nothing_lives_for_ever_but_hooks  # noqa: F821
del test_a_place_without_a_hook_is_taken_back  # noqa: F821
