"""Signatures: the standard's published example, its own library, and two secrets at once."""

import time

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from service.webhooks import signature

# The example of the reference libraries: github.com/standard-webhooks/standard-webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE = "msg_p5jXN8AQM9LWM0D4loKWxJek"
BODY = b'{"test": 2432232314}'


def test_the_published_example() -> None:
    signed = signature.signature(SECRET, MESSAGE, 1614265330, BODY)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_published_library_agrees() -> None:
    secret, body = signature.fresh_secret(), '{"name": "Éva"}'.encode()
    headers = signature.headers([secret], "m", int(time.time()), body)
    assert Webhook(secret).verify(body, headers) == {"name": "Éva"}


def test_both_secrets_verify_and_no_third_one() -> None:
    secrets = [signature.fresh_secret() for _ in range(3)]
    headers = signature.headers(secrets[:2], "m", int(time.time()), BODY)
    for secret in secrets[:2]:
        Webhook(secret).verify(BODY, headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(secrets[2]).verify(BODY, headers)


@pytest.mark.parametrize("change", ["body", "id", "timestamp"])
def test_nothing_may_be_changed(change: str) -> None:
    secret, now = signature.fresh_secret(), int(time.time())
    headers = signature.headers([secret], "m", now, BODY)
    body = BODY.replace(b": ", b":") if change == "body" else BODY  # as a proxy might write it
    if change != "body":
        headers[f"webhook-{change}"] = {"id": "n", "timestamp": str(now + 1)}[change]
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body, headers)


def test_secrets_are_long_and_never_the_same() -> None:
    made = {signature.fresh_secret() for _ in range(100)}
    assert len(made) == 100
    assert all(one.startswith("whsec_") and len(one) >= 6 + 43 for one in made)
