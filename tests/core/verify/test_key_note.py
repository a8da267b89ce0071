"""Keys over years: a successor is followed, a revoked key signs nothing more; both verifiers say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.keys.notice import publish_notice
from core.verify.key_note import publish_key_note
from core.verify.verify import verify_bundle
from tests.builders import NOW, make_bundle, make_key, make_texts, usual_bundle
from tests.tampering import VERIFIERS, Verifier

OLD, NEW, NEWEST = (make_key(seed) for seed in (1, 2, 3))
every_verifier = pytest.mark.parametrize("verifier", VERIFIERS.values(), ids=list(VERIFIERS))


@every_verifier
def test_who_knows_the_old_key_accepts_its_successors(verifier: Verifier, tmp_path: Path) -> None:
    old, new = usual_bundle(tmp_path), make_bundle(tmp_path, texts=make_texts(version="2.0.0"), key=NEWEST)
    assert not verifier(new, OLD.public_text).holds
    publish_key_note(tmp_path, key=OLD, reason="Every ten years.", now=NOW, successor=NEW.public)
    assert not verifier(new, OLD.public_text).holds
    publish_key_note(tmp_path, key=NEW, reason="Sooner this time.", now=NOW, successor=NEWEST.public)
    assert verifier(new, OLD.public_text).holds
    assert verifier(old, OLD.public_text).holds, "what the old key signed stays good"
    assert not verifier(old, NEW.public_text).holds, "a successor speaks for nothing before it"
    assert verify_bundle(new, OLD.public_text).trusted


@every_verifier
def test_what_a_successor_has_withdrawn_is_withdrawn_for_who_knows_the_old_key(
    verifier: Verifier, tmp_path: Path
) -> None:
    """Whose notice it is, the bundle's own key tells: that it is the publisher's is another check."""
    bundle = make_bundle(tmp_path, key=NEW)
    publish_key_note(tmp_path, key=OLD, reason="Every ten years.", now=NOW, successor=NEW.public)
    keys = (None, OLD.public_text, NEW.public_text)
    assert all(verifier(bundle, key).holds for key in keys)
    publish_notice(bundle, reason="The units were wrong", key=NEW, now=NOW)
    for key in keys:
        assert not verifier(bundle, key).holds
        assert "The units were wrong" in verifier(bundle, key).reasons


@every_verifier
def test_a_revoked_key_signs_nothing_but_what_is_listed(verifier: Verifier, tmp_path: Path) -> None:
    sound, forged = usual_bundle(tmp_path), make_bundle(tmp_path, texts=make_texts(version="6.6.6"))
    publish_key_note(tmp_path, key=OLD, reason="The laptop is gone.", now=NOW, published=[sound])
    for key in (None, OLD.public_text):
        assert verifier(sound, key).holds
        assert not verifier(forged, key).holds
        assert "REVOKED" in verifier(forged, key).reasons
    with pytest.raises(InputError, match="already, and that is final"):
        publish_key_note(tmp_path, key=OLD, reason="Not so.", now=NOW, successor=NEW.public)


@every_verifier
def test_a_revoked_key_has_no_successor(verifier: Verifier, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, key=NEW)
    publish_key_note(tmp_path, key=OLD, reason="Age.", now=NOW, successor=NEW.public)
    assert verifier(bundle, OLD.public_text).holds
    publish_key_note(tmp_path, key=OLD, reason="It was a thief's.", now=NOW)
    assert not verifier(bundle, OLD.public_text).holds
    assert verifier(bundle, NEW.public_text).holds


def test_what_makes_no_note_is_refused_and_nothing_written(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "out", key=NEW)
    for change in (
        {"reason": "two\nlines", "successor": NEW.public},
        {"reason": " ", "successor": NEW.public},
        {"reason": "Itself.", "successor": OLD.public},
        {"reason": "Not mine.", "published": [bundle]},
        {"reason": "None.", "published": [tmp_path / "nowhere"]},
    ):
        with pytest.raises(InputError) as caught:
            publish_key_note(tmp_path, key=OLD, now=NOW, **change)  # type: ignore[arg-type]
        assert caught.value.mend
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
