"""What gunicorn would log of a request is cut down to what helps and hurts nobody."""

import logging

from service.gateway import discreet


def record(message: str, *args: object, error: Exception | None = None) -> logging.LogRecord:
    cause = (type(error), error, None) if error else None
    return logging.LogRecord("gunicorn.error", logging.WARNING, "", 0, message, args, cause)


def test_what_clients_sent_is_not_logged() -> None:
    said = "Invalid request from ip=127.0.0.1: Invalid HTTP Header: 'Authorization Bearer tpt_X'"
    assert not discreet(record(said))


def test_a_failure_is_told_by_its_kind() -> None:
    failed = record("Error handling request %s", "/v1/games/x?invite=y", error=KeyError("10h"))
    assert discreet(failed)
    assert failed.getMessage() == "a request failed outside the app: KeyError"
    assert failed.exc_info is None


def test_the_rest_passes() -> None:
    assert discreet(record("Worker exiting (pid: %s)", 7))
