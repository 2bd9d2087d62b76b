"""Which URLs and addresses may be called: no way leads into the service's own network."""

import ipaddress
from ipaddress import ip_network

import pytest

from service.webhooks.address import (
    BadAddress,
    BadUrl,
    Target,
    Unresolved,
    addresses,
    public,
    target,
)

CLOSED = (ip_network("10.1.0.0/16"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("url", "made"),
    [
        ("https://bot.example", Target("https", "bot.example", 443, "/")),
        ("https://Bot.Example/a/b?c=d%20e", Target("https", "bot.example", 443, "/a/b?c=d%20e")),
        ("https://bot.example?c", Target("https", "bot.example", 443, "/?c")),
        ("https://bot.example:8443/", Target("https", "bot.example", 8443, "/")),
        ("https://bot.example:3000/", Target("https", "bot.example", 3000, "/")),
        ("https://xn--bcher-kva.example/", Target("https", "xn--bcher-kva.example", 443, "/")),
        ("https://93.184.216.34/", Target("https", "93.184.216.34", 443, "/")),
        ("https://[2606:2800:220:1::1]/", Target("https", "2606:2800:220:1::1", 443, "/")),
    ],
)
def test_a_url_that_may_be_called(url: str, made: Target) -> None:
    assert target(url) == made


@pytest.mark.parametrize(
    "url",
    [
        "", "bot.example", "//bot.example", "ftp://bot.example/", "file:///etc/passwd",
        "http://bot.example/", "HTTPS://bot.example/", "https:bot.example", "https:///x",
        # who asks
        "https://user@bot.example/", "https://user:pass@bot.example/", "https://@bot.example/",
        "https://good.example@10.0.0.1/", "https://good.example:443@10.0.0.1/",
        "https://good.example\\@10.0.0.1/", "https://good.example#@10.0.0.1/",
        "https://bot.example/#x", "https://bot.example/\r\nHost: x", "https://bot.example/ x",
        "https://bot.example/\t", " https://bot.example/", "https://bot.example/é",
        # hosts
        "https://bücher.example/", "https://bot。example/", "https://bot..example/",
        "https://.example/", "https://-a.example/", "https://a_b.example/", "https://bot.example./",
        "https://" + "a" * 64 + ".example/", "https://bot.example/" + "a" * 1000,
        "https://localhost/", "https://printer/", "https://a.local/", "https://a.internal/",
        "https://a.localhost/", "https://router.home.arpa/", "https://%6cocalhost/",
        # addresses in all their spellings
        "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
        "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://127.0.0.1.1/", "https://0/",
        "https://10.0.0.1/", "https://169.254.169.254/", "https://[::1]/", "https://[::]/",
        "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[fe80::1]/",
        "https://[fe80::1%25eth0]/", "https://[fd00::1]/", "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/", "https://[ff02::1]/", "https://[1.2.3.4]/", "https://[::1/",
        "https://::1/", "https://1.2.3.4.5.6/", "https://256.1.1.1/",
        # ports
        "https://bot.example:0/", "https://bot.example:65536/", "https://bot.example:22/",
        "https://bot.example:25/", "https://bot.example:6379/", "https://bot.example:/",
        "https://bot.example:x/", "https://bot.example:+443/",
    ],
)  # fmt: skip
def test_a_url_that_may_not(url: str) -> None:
    with pytest.raises(BadUrl):
        target(url)


PRIVATE = [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:10.0.0.1", "::ffff:8.8.8.8",
    "::ffff:0:8.8.8.8", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
    "2001:10::1", "2002:808:808::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1",
    "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1", "5f00::1",
]  # fmt: skip


@pytest.mark.parametrize("text", PRIVATE)
def test_an_address_that_is_not_of_the_public_internet(text: str) -> None:
    assert not public(ipaddress.ip_address(text))
    with pytest.raises(BadAddress):
        addresses(target("https://bot.example/"), (), lambda *_: [text])


@pytest.mark.parametrize("text", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450::1"])
def test_a_public_address(text: str) -> None:
    assert public(ipaddress.ip_address(text))
    assert addresses(target("https://bot.example/"), (), lambda *_: [text]) == [text]


def test_one_bad_address_spoils_all() -> None:
    with pytest.raises(BadAddress):
        addresses(target("https://bot.example/"), (), lambda *_: ["8.8.8.8", "10.0.0.1"])


@pytest.mark.parametrize("error", [OSError("no such host"), UnicodeError("label too long"), None])
def test_a_host_without_an_address(error: Exception | None) -> None:
    def resolve(*_: object) -> list[str]:
        if error:
            raise error
        return []

    with pytest.raises(Unresolved):
        addresses(target("https://bot.example/"), (), resolve)


def test_what_the_resolver_says_is_never_taken_for_good() -> None:
    with pytest.raises(BadAddress):
        addresses(target("https://bot.example/"), (), lambda *_: ["bot.example"])


def test_networks_of_ones_own_may_be_called_also_by_http() -> None:
    for url in (
        "http://10.1.2.3:8000/",
        "https://10.1.2.3/",
        "http://bot/",
        "http://bot.internal/",
    ):
        assert target(url, CLOSED)
    with pytest.raises(BadUrl):
        target("https://10.2.0.1/", CLOSED)
    to = target("http://bot/", CLOSED)
    assert addresses(to, CLOSED, lambda *_: ["10.1.2.3"]) == ["10.1.2.3"]
    assert addresses(to, CLOSED, lambda *_: ["fd00::1"]) == ["fd00::1"]
    # Others only by https, also where networks are named.
    for text in ("8.8.8.8", "10.2.0.1", "127.0.0.1", "::ffff:10.1.2.3"):
        with pytest.raises(BadAddress):
            addresses(to, CLOSED, lambda *_, text=text: [text])
    assert addresses(target("https://bot.example/", CLOSED), CLOSED, lambda *_: ["8.8.8.8"])
