"""L1-C vision in four layers: change gating, detection, tracking, scene meaning. No ROS in here."""

from zulong.vision.change_gate import ChangeGate
from zulong.vision.colour_detector import ColourDetector, PixelBox
from zulong.vision.pipeline import Layer, Sight, VisionPipeline
from zulong.vision.scene import Scene, describe
from zulong.vision.tracker import Track, Tracker

__all__ = [
    "ChangeGate",
    "ColourDetector",
    "Layer",
    "PixelBox",
    "Scene",
    "Sight",
    "Track",
    "Tracker",
    "VisionPipeline",
    "describe",
]
