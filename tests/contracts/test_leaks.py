"""What `make leaks` searches with finds what is planted, in every form that it may have."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.fire.leaks import (
    ID,
    SPEEDS,
    Place,
    found_in,
    open_to_others,
    planted_city,
    to_the_network,
    true_means,
)

MEAN = "23.417"
LEAKS = {
    "an id": f"id={ID}-03".encode(),
    "an id as Windows writes it": ID.encode("utf-16-le"),
    "a value": f"<td>{SPEEDS[3]}</td>".encode(),
    "a true mean": f"a,b,{MEAN}\n".encode(),
    "a mean as a double": b"PAR1" + struct.pack("<d", float(MEAN)),
    "a mean in thousandths": np.array([1, 23_417]).astype("<i8").tobytes(),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=list(LEAKS))
def test_a_planted_leak_is_found(leak: bytes) -> None:
    place = Place(name="log", files={"a.log": b"harmless", "b.log": leak}, words=(ID,))
    [found] = found_in(place, [*SPEEDS, MEAN])
    assert found.endswith("in b.log")


def test_of_two_releases_only_what_both_hold_is_no_noise() -> None:
    once = {"a/test/table.csv": MEAN.encode(), "b/test/table.csv": b"23.418"}
    assert found_in(Place(name="bundles", files=once, words=(), releases=True), [MEAN]) == []
    twice = {"a/test/table.csv": MEAN.encode(), "b/test/table.csv": MEAN.encode()}
    assert len(found_in(Place(name="bundles", files=twice, words=(), releases=True), [MEAN])) == 1


def test_a_name_of_a_file_is_searched_too() -> None:
    assert found_in(Place(name="tmp", files={f"{ID}.csv": b""}, words=(ID,)), [])


def test_the_planted_records_have_their_means_and_files_that_others_may_read_are_told(tmp_path: Path) -> None:
    planted_city(tmp_path)
    means = true_means(tmp_path / "zq7file.csv")
    assert len(means) >= 12
    assert all(11 < float(mean) < 46 for mean in means)
    ledger = tmp_path / "home" / "ledger.sqlite"
    ledger.parent.mkdir(mode=0o700)
    ledger.touch(mode=0o600)
    assert open_to_others(ledger.parent) == []
    ledger.chmod(0o644)
    assert open_to_others(ledger.parent) == ["ledger.sqlite"]
    ledger.parent.chmod(0o755)
    assert open_to_others(ledger.parent) == [".", "ledger.sqlite"]


REACHING = (
    '7 connect(5, {sa_family=AF_INET, sin_addr=inet_addr("192.0.2.1")}, 16 <unfinished ...>',
    '7 bind(5, {sa_family=AF_INET6, sin6_port=htons(0), inet_pton(AF_INET6, "::", &sin6_addr)}, 28) = 0',
    '7 sendto(5, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 1',
    "7 sendmsg(5, {msg_name={sa_family=AF_INET6, sin6_port=htons(53)}, msg_namelen=28}, 0) = 1",
)
HARMLESS = (
    "7 socket(AF_INET6, SOCK_DGRAM, IPPROTO_IP) = 28",
    '7 connect(5, {sa_family=AF_UNIX, sun_path="/run/dbus/system_bus_socket"}, 29) = -1 ENOENT',
    "7 bind(27, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=0x000113}, 12) = 0",
    "7 sendmsg(5, {msg_name=NULL, msg_namelen=0}, 0) = 1",
)


def test_calls_that_reach_a_network_are_told_from_sockets_that_are_never_used() -> None:
    assert to_the_network("\n".join((*HARMLESS, *REACHING))) == list(REACHING)
