"""The dice secret: kept whole, found by its hash, and missed in clear words."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from tests import builders

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.model.strict_json import sha256
from turnwright.store.disk import Disk
from turnwright.store.files import ENGINE_FOLDER, Files
from turnwright.store.secret import SECRET_PATH, read_secrets, secret_with_hash, write_secrets

OLD, NEW = b"o" * 32, b"n" * 32


def test_secrets_are_read_as_they_were_written_and_found_by_their_hash(tmp_path: Path) -> None:
    files = Files(tmp_path)
    write_secrets(files, [OLD, NEW])
    assert read_secrets(files) == [OLD, NEW]
    assert secret_with_hash(files, sha256(OLD)) == OLD
    assert secret_with_hash(files, sha256(NEW)) == NEW
    with pytest.raises(CampaignInvalid, match="not the secret this campaign was begun with"):
        secret_with_hash(files, sha256(b"another"))


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b'{"secrets": 5}', b'{"secrets": ["zz"]}', b'{"secrets": [5]}']
)
def test_a_secret_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    files = Files(tmp_path)
    write_secrets(files, [])
    (tmp_path / SECRET_PATH).write_bytes(content)
    with pytest.raises(CampaignInvalid, match="cannot be read") as refused:
        read_secrets(files)
    assert refused.value.problems[0].file == SECRET_PATH


def test_a_campaign_without_its_secret_is_read_but_takes_no_turn(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.close()
    secret = (path / SECRET_PATH).read_bytes()
    (path / SECRET_PATH).unlink()
    log = (path / "log.jsonl").read_bytes()
    with Campaign.open(path, builders.clock) as opened:
        assert opened.state["characters/pc_001.json"]["hp"] == 10
        with pytest.raises(CampaignInvalid, match="secret is missing"):
            opened.process(builders.turn(builders.hp_delta(-1)))
        assert (path / "log.jsonl").read_bytes() == log
        (path / SECRET_PATH).write_bytes(secret)
        assert opened.process(builders.turn(builders.hp_delta(-1)))["status"] == "applied"


def test_a_given_seed_makes_the_secret_and_none_is_never_the_same(tmp_path: Path) -> None:
    from hashlib import sha256 as hashed

    for name, seed in (("a", "x"), ("b", "x"), ("c", None), ("d", None)):
        Campaign.new(tmp_path / name, seed=seed, clock=builders.clock).close()
    (a,), (b,), (c,), (d,) = (read_secrets(Files(tmp_path / name)) for name in "abcd")
    assert a == b == hashed(b"x").digest()
    assert len({a, c, d}) == 3
    assert {len(secret) for secret in (a, c, d)} == {32}
    for name, secret in zip("abcd", (a, b, c, d), strict=True):
        assert builders.log_of(tmp_path / name)[0]["secret_sha256"] == hashed(secret).hexdigest()


def mode_of(path: Path) -> int:
    return (path / SECRET_PATH).stat().st_mode & 0o777


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077, 0o377])
def test_nobody_but_its_owner_may_read_a_secret_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: int
) -> None:
    modes, write = [], Disk.write

    def seen(self: Disk, descriptor: int, data: bytes | memoryview) -> int:
        if b"secrets" in bytes(data):
            modes.append(os.fstat(descriptor).st_mode & 0o777)
        return write(self, descriptor, data)

    monkeypatch.setattr(Disk, "write", seen)
    (tmp_path / ENGINE_FOLDER).mkdir()
    before = os.umask(umask)
    try:
        write_secrets(Files(tmp_path), [OLD])
    finally:
        os.umask(before)
    assert mode_of(tmp_path) == 0o600
    assert modes == [0o600], "when the first byte was written"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_new_campaigns_and_forks_keep_their_secrets_to_their_owner(campaign: Campaign, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        fork = campaign.fork(tmp_path / "fork", "0")
        Campaign.new(tmp_path / "new", clock=builders.clock).close()
    finally:
        os.umask(before)
    assert [mode_of(path) for path in (fork, tmp_path / "new")] == [0o600, 0o600]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_the_next_writer_closes_a_secret_and_check_warns_until_then(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.close()
    (path / SECRET_PATH).chmod(0o644)
    with Campaign.open(path, builders.clock) as reader:
        assert reader.state
        (problem,) = check_directory(path)
        assert (problem.file, problem.rule, problem.warning) == (SECRET_PATH, "mode", True)
        assert mode_of(path) == 0o644, "who only reads changes nothing"
        assert reader.process(builders.turn(builders.hp_delta(-1)))["status"] == "applied"
    assert mode_of(path) == 0o600
    assert check_directory(path) == []


def test_who_may_not_close_a_secret_takes_turns_all_the_same(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "campaign_0"
    campaign.close()
    (path / SECRET_PATH).chmod(0o644)

    def refuse(_self: Disk, _descriptor: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(Disk, "restrict", refuse)
    with Campaign.open(path, builders.clock) as opened:
        assert opened.process(builders.turn(builders.hp_delta(-1)))["status"] == "applied"
    assert [problem.rule for problem in check_directory(path)] == ["mode"]


def test_who_may_not_read_the_secret_is_told_whose_turns_it_lets(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign.close()
    open_file = Disk.open

    def refuse(self: Disk, place: str, flags: int) -> int:
        if place.endswith("secret.json"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)
        return open_file(self, place, flags)

    monkeypatch.setattr(Disk, "open", refuse)
    with (
        Campaign.open(tmp_path / "campaign_0", builders.clock) as opened,
        pytest.raises(StorageFailed, match="only its owner may read the dice secret"),
    ):
        opened.process(builders.turn(builders.hp_delta(-1)))
