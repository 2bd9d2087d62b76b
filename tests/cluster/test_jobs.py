"""The promises of the keepers of jobs, kept by a cluster: the same tests as for one server."""

import pytest

from tests.store.test_jobs import *  # noqa: F403

pytestmark = pytest.mark.slow

# They speak to a single server over a wire of their own.
del test_a_lost_answer_changes_nothing  # noqa: F821
del test_after_a_lost_beginning_somebody_else_has_it_later  # noqa: F821
del test_the_places_of_what_was_cut_short_are_taken_back  # noqa: F821
