"""The dice secret: kept whole, found by its hash, and missed in clear words."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import plain

from turnwright import Campaign
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import sha256
from turnwright.store.files import Files
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
    with Campaign.open(path, plain.clock) as opened:
        assert opened.state["characters/pc_001.json"]["hp"] == 10
        with pytest.raises(CampaignInvalid, match="secret is missing"):
            opened.process(plain.turn(plain.hp_delta(-1)))
        assert (path / "log.jsonl").read_bytes() == log
        (path / SECRET_PATH).write_bytes(secret)
        assert opened.process(plain.turn(plain.hp_delta(-1)))["status"] == "applied"


def test_a_given_seed_makes_the_secret_and_none_is_never_the_same(tmp_path: Path) -> None:
    from hashlib import sha256 as hashed

    for name, seed in (("a", "x"), ("b", "x"), ("c", None), ("d", None)):
        Campaign.new(tmp_path / name, seed=seed, clock=plain.clock).close()
    (a,), (b,), (c,), (d,) = (read_secrets(Files(tmp_path / name)) for name in "abcd")
    assert a == b == hashed(b"x").digest()
    assert len({a, c, d}) == 3
    assert {len(secret) for secret in (a, c, d)} == {32}
    for name, secret in zip("abcd", (a, b, c, d), strict=True):
        assert plain.log_of(tmp_path / name)[0]["secret_sha256"] == hashed(secret).hexdigest()
