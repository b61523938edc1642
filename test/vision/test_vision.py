from __future__ import annotations

import numpy as np
import pytest

from zulong.vision import ChangeGate, ColourDetector, Layer, PixelBox, Tracker, VisionPipeline, describe

COLOURS = {
    "red": (200, 30, 30),
    "green": (30, 170, 60),
    "blue": (30, 60, 200),
    "yellow": (220, 200, 30),
    "orange": (230, 120, 20),
    "purple": (130, 40, 180),
    "pink": (230, 60, 150),
}


def picture(*things: tuple[str, int, int, int]) -> np.ndarray:
    """A grey room with noise and coloured squares (colour, x, y, size)."""
    rng = np.random.default_rng(3)
    rgb = np.full((240, 320, 3), 128, np.int16) + rng.integers(-6, 7, (240, 320, 3))
    for colour, x, y, size in things:
        rgb[y : y + size, x : x + size] = np.array(COLOURS[colour]) + rng.integers(-6, 7, (size, size, 3))
    return rgb.clip(0, 255).astype(np.uint8)


@pytest.mark.feature("RB-07")
@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("light", [0.5, 1.0])
def test_each_colour_is_found_where_it_is_in_dim_and_bright_light(colour: str, light: float) -> None:
    rgb = (picture((colour, 100, 60, 20)) * light).astype(np.uint8)
    finds = ColourDetector().find(rgb)
    assert [f.colour for f in finds] == [colour]
    assert finds[0].x == pytest.approx(100, abs=1)
    assert finds[0].width == pytest.approx(20, abs=2)


def test_a_grey_room_has_no_coloured_things_and_a_bad_picture_is_refused() -> None:
    assert ColourDetector().find(picture()) == []
    with pytest.raises(ValueError, match="H x W x 3"):
        ColourDetector().find(np.zeros((4, 4), np.uint8))


@pytest.mark.feature("RB-07")
def test_tracks_keep_their_ids_while_things_move_and_cross_colours() -> None:
    tracker = Tracker()
    ids = set()
    for step in range(20):
        a = PixelBox("red", 10 + 6 * step, 50, 12, 12, 1.0)
        b = PixelBox("blue", 130 - 6 * step, 50, 12, 12, 1.0)
        tracker.update([a, b] if step % 2 else [b, a])
        ids.update(t.id for t in tracker.tracks)
    assert len(ids) == 2
    for _ in range(7):
        tracker.update([])
    assert tracker.tracks == []


def test_a_short_loss_does_not_change_the_id() -> None:
    tracker = Tracker()
    box = PixelBox("red", 10, 10, 12, 12, 1.0)
    first = tracker.update([box])[0][0].id
    tracker.update([])
    tracker.update([])
    tracker.update([PixelBox("red", 14, 10, 12, 12, 1.0)])
    assert [t.id for t in tracker.tracks] == [first]


@pytest.mark.feature("RB-07")
def test_gate_opens_on_change_and_on_time_only() -> None:
    gate = ChangeGate(longest_s=10.0)
    still = picture()
    assert gate.look(still, 0.0)[0]
    assert not gate.look(still, 0.1)[0]
    opened, change = gate.look(picture(("red", 50, 50, 60)), 0.2)
    assert opened
    assert 0.02 < change < 0.2
    assert gate.look(picture(("red", 50, 50, 60)), 10.5)[0]


@pytest.mark.feature("RB-07")
def test_scene_says_what_is_left_of_what() -> None:
    pipeline = VisionPipeline()
    for shift in (0, 4):
        sight = pipeline.look(picture(("red", 50 + shift, 100, 30), ("blue", 200 + shift, 100, 30)))
    assert sight.layer is Layer.SCENE
    assert sight.scene is not None
    assert len(sight.scene.relations) == 1
    assert sight.scene.relations[0].startswith("red-")
    assert "left_of blue-" in sight.scene.relations[0]
    assert "1 red thing" in sight.scene.sentence
    assert describe([]).sentence.startswith("Nothing")


@pytest.mark.feature("RB-07")
def test_layers_are_shed_one_by_one_under_load_and_come_back() -> None:
    ticks = iter(np.cumsum([1.0] * 4 + [0.001] * 500))
    pipeline = VisionPipeline(budget_s=0.5, retry_after=3, clock=lambda: float(next(ticks)))
    layers = [pipeline.look(picture(("red", 5 * n, 50, 30))).layer for n in range(12)]
    assert layers[:2] == [Layer.SCENE, Layer.TRACKING]
    assert layers[2] is Layer.DETECTION
    assert layers[-1] is Layer.SCENE


@pytest.mark.feature("RB-06")
def test_power_saving_stops_at_change_gating() -> None:
    pipeline = VisionPipeline(deepest=Layer.GATING)
    sight = pipeline.look(picture(("red", 50, 50, 30)))
    assert sight.layer is Layer.GATING
    assert sight.tracks == []
    assert not sight.degraded
