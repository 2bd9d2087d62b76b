"""What only a real server can do to us, done by a cluster: the tests for one server that fit."""

import pytest

from tests.store.test_redis import (  # noqa: F401
    test_a_foreign_key_is_an_error_for_reader_and_writer,
    test_a_fork_has_connections_of_its_own,
    test_a_history_that_is_gone_is_not_gone_on_with,
    test_a_log_is_read_up_to_a_hole,
    test_a_log_is_read_up_to_a_malformed_entry,
    test_nothing_is_written_after_a_malformed_entry,
    test_prefixes_do_not_meet,
    test_settings_in_the_url_do_not_undo_ours,
    test_without_hearing_one_looks,
)

pytestmark = pytest.mark.slow
