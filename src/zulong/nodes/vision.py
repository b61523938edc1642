"""L1-C as a node: camera image in, detections, scene and an annotated image out. It drops pictures, never queues them."""

from __future__ import annotations

import time
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import Image

from zulong.msg import Detection, DetectionArray, Event, SceneState
from zulong.nodes import names, qos
from zulong.nodes.base import Health, Level, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.nodes.images import ImageEncodingError, from_rgb, to_rgb
from zulong.vision import Layer, Sight, Track, VisionPipeline


class VisionNode(ZulongNode):
    """Runs the four layers on the newest picture in a thread of its own."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "budget_s",
            0.08,
            "Time that one picture may take before layers are left out.",
            "s",
            0.005,
            2.0,
            read_only=True,
        ),
        Parameter("annotate", True, "Whether the annotated image is drawn when somebody subscribes to it."),
    )

    def __init__(self) -> None:
        super().__init__("vision")

    def setup(self) -> None:
        """Make the pipeline and its worker."""
        self._pipeline = VisionPipeline(self.param("budget_s"))
        self._work = self.worker("pictures", depth=1, newest_only=True)
        self._looks = self.latency("look")
        self._sight: Sight | None = None
        self._refused = ""
        self._detections = self.create_publisher(DetectionArray, names.DETECTIONS, qos.event())
        self._scene = self.create_publisher(SceneState, names.SCENE, qos.latched())
        self._annotated = self.create_publisher(Image, names.ANNOTATED_IMAGE, qos.sensor())
        self.subscribe(Image, names.IMAGE, self._on_image, qos.sensor())
        self.subscribe(Event, names.EVENTS_ORDERED, self._on_event, qos.event())

    def health(self) -> Health:
        """Tell how deep the newest picture was looked at."""
        if self._refused:
            return Health(Level.ERROR, self._refused)
        if self._sight is None:
            return Health(Level.WARN, "No picture yet.")
        values = {"layer": self._sight.layer.name, "things": len(self._sight.tracks)}
        if self._sight.degraded:
            return Health(Level.WARN, "Layers are left out because of load.", values)
        return Health(Level.OK, "Looking.", values)

    def _on_image(self, image: Image) -> None:
        self._work.submit(self._look, image, time.monotonic())

    def _on_event(self, event: Event) -> None:
        if event.type == "power.mode":
            sleeping = '"sleep"' in event.payload_json
            self._pipeline.deepest = Layer.GATING if sleeping else Layer.SCENE

    def _look(self, image: Image, arrived_s: float) -> None:
        try:
            rgb = to_rgb(image)
        except ImageEncodingError as error:
            self._refused = str(error)
            return
        self._refused = ""
        sight = self._sight = self._pipeline.look(rgb)
        self._looks.note(sight.elapsed_s)
        self.post(self._tell, image, rgb, sight, arrived_s)

    def _tell(self, image: Image, rgb: NDArray[np.uint8], sight: Sight, arrived_s: float) -> None:
        if not self.active:
            return
        if sight.layer >= Layer.DETECTION:
            array = DetectionArray(image_width_px=image.width, image_height_px=image.height)
            array.header = image.header
            array.detections = [_detection(track) for track in sight.tracks if track.missed == 0]
            array.latency_s = time.monotonic() - arrived_s
            self._detections.publish(array)
        if sight.scene is not None:
            self._scene.publish(_scene(image, sight))
        if self.param("annotate") and self._annotated.get_subscription_count():
            self._annotated.publish(from_rgb(_annotate(rgb, sight.tracks), image.header))


def _detection(track: Track) -> Detection:
    box = track.box
    return Detection(
        id=track.id,
        label=f"{box.colour} thing",
        colour=box.colour,
        score=float(box.score),
        x_px=float(box.x),
        y_px=float(box.y),
        width_px=float(box.width),
        height_px=float(box.height),
        has_position=False,
        position_std_m=float("nan"),
        age=track.age,
    )


def _scene(image: Image, sight: Sight) -> SceneState:
    state = SceneState(layer=int(sight.layer), degraded=sight.degraded, change=float(sight.change))
    state.header = image.header
    if sight.scene is not None:
        state.description = sight.scene.sentence
        state.relations = list(sight.scene.relations)
    state.objects = [_detection(track) for track in sight.tracks if track.confirmed]
    state.appeared = [track.id for track in sight.begun]
    state.vanished = [track.id for track in sight.ended]
    return state


def _annotate(rgb: NDArray[np.uint8], tracks: list[Track]) -> NDArray[np.uint8]:
    picture = rgb.copy()
    for track in tracks:
        box = track.box
        corner = (box.x, box.y)
        cv2.rectangle(picture, corner, (box.x + box.width, box.y + box.height), (255, 255, 255), 1)
        cv2.putText(
            picture, track.id, (box.x, max(8, box.y - 2)), cv2.FONT_HERSHEY_SIMPLEX, 0.3, (255, 255, 255), 1
        )
    return picture


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(VisionNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
