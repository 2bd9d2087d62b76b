"""Which URLs may be called, and which addresses: no server may be led into its own network.

    URL ──► target (its form; once, when it is given) ──► addresses (resolved, at each attempt)

An address is good if it is one of the public internet. The tables of special addresses are IANA's
(https://www.iana.org/assignments/iana-ipv4-special-registry, …-ipv6-special-registry), written out
since `ipaddress` judges some of them differently from one Python to the next. An IPv6 address that
holds an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo) is refused, whichever it holds.

What is resolved and found good is what is connected to: a name is never looked up a second time,
so an answer that changes in between (rebinding) changes nothing.

`networks` are those of one's own that may be called all the same, and by plain http too.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from service.languages.catalogue import Sentence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LONGEST: Final = 1000
"""Characters of a URL."""

_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>[/?][!-~]*)?"
)
_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LOCAL: Final = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa")
_PORTS: Final = (443, 8443)
"""Ports of public receivers below and beside those that no service of the system has."""

_UNSAFE: Final = frozenset({1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6379, 6566,
                            6665, 6666, 6667, 6668, 6669, 6697, 10080, 11211})  # fmt: skip
"""https://fetch.spec.whatwg.org/#port-blocking, from 1024 on, and the usual caches."""

_SPECIAL: Final[tuple[Network, ...]] = tuple(
    ipaddress.ip_network(text)
    for text in (
        # IPv4
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        # IPv6 within the public 2000::/3: Teredo and other protocols, documentation, 6to4, AS112
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20",
    )
)  # fmt: skip
_UNICAST: Final = ipaddress.ip_network("2000::/3")


_FORM: Final = Sentence("Must be a plain https URL, without user, password or fragment.")
_HOST: Final = Sentence("Has a host that is none; names in other scripts are written as xn--….")
_PORT: Final = Sentence("No receiver may listen on that port; 443 is the usual one.")
_PUBLIC: Final = Sentence("Must lead to the public internet.")


class BadUrl(ValueError):
    """The URL may not be called; `sentence` tells its owner why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class BadAddress(Exception):
    """The host has an address that may not be called, or one by http that wants https."""


class Unresolved(Exception):
    """The host has no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart: `host` in lower case and without brackets, `path` with its query."""

    scheme: str
    host: str
    port: int
    path: str


def target(url: str, networks: Sequence[Network] = ()) -> Target:
    """The URL's parts, if it has the form of one that may be called. Looks nothing up.

    Raises:
        BadUrl: it has not.
    """
    match = _URL.fullmatch(url)
    if len(url) > LONGEST or match is None:
        raise BadUrl(_FORM)
    scheme, host = match["scheme"], match["host"].lower()
    if scheme == "http" and not networks:
        raise BadUrl(Sentence("Must begin with https://."))
    if "#" in url:
        raise BadUrl(_FORM)
    path = match["path"] or "/"
    port = int(match["port"]) if match["port"] else {"https": 443, "http": 80}[scheme]
    literal = _literal(host)
    _check_port(port, bool(networks))
    if literal is None:
        _check_name(host, bool(networks))
    elif not _good(literal, networks):
        raise BadUrl(_PUBLIC)
    return Target(scheme, host.strip("[]"), port, path if path[0] == "/" else "/" + path)


Resolve = Callable[[str, int], list[str]]
"""All addresses of a host as text. Raises OSError."""


def resolved(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def addresses(to: Target, networks: Sequence[Network], resolve: Resolve = resolved) -> list[str]:
    """The addresses of a target that may be connected to, looked up now.

    One bad address among several spoils all: a public name has none.

    Raises:
        Unresolved, BadAddress
    """
    try:
        texts = resolve(to.host, to.port)
    except (OSError, UnicodeError):
        raise Unresolved from None
    if not texts:
        raise Unresolved
    for text in texts:
        address = _parsed(text)
        own = address is not None and _among(address, networks)
        if address is None or not (own or (to.scheme == "https" and public(address))):
            raise BadAddress
    return texts


def public(address: Address) -> bool:
    """Whether it is a unicast address of the public internet, and holds no other address."""
    if address.version == 6 and (address not in _UNICAST or address.scope_id):
        return False
    return not _among(address, _SPECIAL) and not address.is_multicast and address.is_global


def _good(address: Address, networks: Sequence[Network]) -> bool:
    return public(address) or _among(address, networks)


def _among(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in one for one in networks if one.version == address.version)


def _parsed(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _literal(host: str) -> Address | None:
    """The address that a host is written as; None for a name.

    Raises:
        BadUrl: it looks like an address and is none; resolvers take 127.1 and 0x7f.0.0.1.
    """
    numeric = host.startswith("[") or _NUMBER.fullmatch(host.rpartition(".")[2])
    if not numeric:
        return None
    address = _parsed(host.strip("[]"))
    if address is None or (address.version == 6) != host.startswith("["):
        raise BadUrl(_HOST)
    return address


def _check_name(host: str, closed: bool) -> None:
    labels = host.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise BadUrl(_HOST)
    if not closed and (len(labels) < 2 or labels[-1] in _LOCAL):
        raise BadUrl(_PUBLIC)


def _check_port(port: int, closed: bool) -> None:
    if not 0 < port < 65_536:
        raise BadUrl(_PORT)
    if not closed and ((port < 1024 and port not in _PORTS) or port in _UNSAFE):
        raise BadUrl(_PORT)
