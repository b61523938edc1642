"""L0: the embedded simulator as a node. Standard topics only, so that Gazebo or hardware takes its place by remapping."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped, Twist
from nav_msgs.msg import Odometry as OdometryMessage
from rosgraph_msgs.msg import Clock as ClockMessage
from sensor_msgs.msg import BatteryState, CameraInfo, Image, LaserScan, Temperature
from sensor_msgs.msg import Imu as ImuMessage
from std_msgs.msg import Bool, Float32

from zulong.apartment import ApartmentError, load_apartment
from zulong.msg import DetectionArray, TextChunk, Transcript
from zulong.nodes import convert_sim, names, qos
from zulong.nodes.base import ConfigurationError, Health, Level, Parameter, ZulongNode, main
from zulong.nodes.process import prefer_process
from zulong.nodes.sim_requests import answer_control, answer_gripper
from zulong.nodes.stamps import to_time
from zulong.sim.camera import Camera, CameraUnavailableError
from zulong.sim.mjcf import TIMESTEP_S
from zulong.sim.simulator import Simulator, SimulatorConfig
from zulong.srv import GripperControl, SimControl

PARAMETERS = (
    Parameter("world", "", "File of the home; empty: config/apartment.yaml.", read_only=True),
    Parameter("seed", 1, "Seed of all noise.", minimum=0, read_only=True),
    Parameter(
        "speed", 1.0, "Simulated seconds a real second; 0: as fast as it can.", minimum=0.0, maximum=1000.0
    ),
    Parameter("walk_routes", True, "Whether people with a route walk it.", read_only=True),
    Parameter("publish_clock", False, "Publish /clock and stamp with simulated time.", read_only=True),
    Parameter("camera", True, "Whether pictures are rendered.", read_only=True),
    Parameter(
        "camera_rate_hz", 10.0, "Pictures a second.", unit="Hz", minimum=0.5, maximum=60.0, read_only=True
    ),
    Parameter(
        "camera_width", 320, "Width of the picture.", unit="px", minimum=32, maximum=1920, read_only=True
    ),
    Parameter(
        "camera_height", 240, "Height of the picture.", unit="px", minimum=32, maximum=1080, read_only=True
    ),
    Parameter(
        "scan_rate_hz",
        20.0,
        "Turns of the laser a second.",
        unit="Hz",
        minimum=1.0,
        maximum=50.0,
        read_only=True,
    ),
    Parameter(
        "command_timeout_s",
        0.5,
        "The base stops when no cmd_vel came for this long, steady clock.",
        unit="s",
        minimum=0.05,
        maximum=5.0,
    ),
)
_RATES_HZ = {
    "odom": 20.0,
    "imu": 50.0,
    "bumper": 20.0,
    "gas": 10.0,
    "battery": 1.0,
    "objects": 5.0,
    "clock": 50.0,
}
_MOST_LAG_S = 0.25
_CHUNK_STEPS = 5


class SimNode(ZulongNode):
    """Runs the world in a thread of its own and publishes what the devices measure."""

    parameters = PARAMETERS

    def __init__(self) -> None:
        super().__init__("sim")
        self._lock = threading.Lock()
        self._running = threading.Event()
        self._threads: list[threading.Thread] = []
        self._camera_trouble = ""

    def setup(self) -> None:
        """Build the world and every publisher."""
        world = self.param("world")
        try:
            home = load_apartment(Path(world)) if world else load_apartment()
        except (ApartmentError, OSError) as error:
            raise ConfigurationError(f"The home cannot be read: {error}") from error
        self.simulator = Simulator(
            home,
            SimulatorConfig(
                seed=self.param("seed"),
                walk_routes=self.param("walk_routes"),
                image_width=self.param("camera_width"),
                image_height=self.param("camera_height"),
            ),
        )
        self._speed = float(self.param("speed"))
        self._due: dict[str, float] = {}
        self._commanded_at = -1.0
        self._words: dict[str, str] = {}
        self._utterances = 0
        self._make_publishers()
        self.subscribe(Twist, names.CMD_VEL, self._on_velocity, qos.command())
        self.subscribe(TextChunk, names.TEXT_OUT, self._on_words, qos.stream())
        self.serve(SimControl, names.SIM_CONTROL, self._on_control)
        self.serve(GripperControl, names.GRIPPER, self._on_gripper)

    def _make_publishers(self) -> None:
        scan_period = 1.0 / self.param("scan_rate_hz")
        self._scan = self.create_publisher(LaserScan, names.SCAN, qos.sensor(deadline_s=2 * scan_period))
        self._odom = self.create_publisher(OdometryMessage, names.ODOM, qos.sensor())
        self._pose = self.create_publisher(PoseStamped, names.POSE, qos.sensor())
        self._imu = self.create_publisher(ImuMessage, names.IMU, qos.sensor())
        self._battery = self.create_publisher(BatteryState, names.BATTERY, qos.sensor())
        self._bumper = self.create_publisher(Bool, names.BUMPER, qos.sensor())
        self._gas = self.create_publisher(Float32, names.GAS, qos.sensor())
        self._temperature = self.create_publisher(Temperature, names.TEMPERATURE, qos.sensor())
        self._objects = self.create_publisher(DetectionArray, names.SIM_OBJECTS, qos.sensor())
        self._image = self.create_publisher(Image, names.IMAGE, qos.sensor())
        self._camera_info = self.create_publisher(CameraInfo, names.CAMERA_INFO, qos.sensor())
        self._answers = self.create_publisher(Transcript, names.ANSWERS, qos.event())
        self._clock_out = (
            self.create_publisher(ClockMessage, names.CLOCK, qos.sensor())
            if self.param("publish_clock")
            else None
        )
        self._tf: Any = None
        try:
            from tf2_msgs.msg import TFMessage
        except ImportError:
            self.get_logger().info("tf2_msgs is not installed: no /tf (pose and odom carry the same).")
        else:
            self._tf = self.create_publisher(TFMessage, names.TF, qos.event())

    def start(self) -> None:
        """Let the world run."""
        self._running.set()
        self._threads = [threading.Thread(target=self._run_world, name="sim.world", daemon=True)]
        if self.param("camera"):
            self._threads.append(threading.Thread(target=self._run_camera, name="sim.camera", daemon=True))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Freeze the world; the base stands."""
        self._running.clear()
        for thread in self._threads:
            thread.join(timeout=0.5)
        self._threads.clear()
        with self._lock:
            self.simulator.drive(0.0, 0.0)

    def parameter_changed(self, name: str, value: Any) -> None:
        """Take a new speed at once."""
        if name == "speed":
            self._speed = float(value)

    def health(self) -> Health:
        """No picture is a warning."""
        values: dict[str, str | float | int | bool] = {
            "sim_time_s": round(self.simulator.time_s, 2),
            "speed": self._speed,
        }
        if self._camera_trouble:
            return Health(Level.WARN, self._camera_trouble, values)
        return Health(values=values)

    # What comes in.

    def _on_velocity(self, message: Twist) -> None:
        try:
            with self._lock:
                self.simulator.drive(message.linear.x, message.angular.z)
                self._commanded_at = time.monotonic()
        except ValueError as error:
            self.get_logger().warning(f"Velocity refused: {error}", throttle_duration_sec=2.0)

    def _on_words(self, chunk: TextChunk) -> None:
        # Words of a task thread are for whoever gave the errand; people of the world answer what a skill says.
        if chunk.kind == TextChunk.KIND_STATUS or not chunk.speak or chunk.thread_id:
            return
        text = self._words.pop(chunk.stream_id, "") + chunk.text
        if not chunk.is_final:
            if len(self._words) > 64:  # streams that never ended
                self._words.pop(next(iter(self._words)))
            self._words[chunk.stream_id] = text[-4000:]
            return
        with self._lock:
            self.simulator.say(text)

    def _on_control(self, request: Any, response: Any) -> Any:
        if request.command == SimControl.Request.SET_SPEED:
            self._speed = max(0.0, float(request.value))
        with self._lock:
            return answer_control(self.simulator, request, response)

    def _on_gripper(self, request: Any, response: Any) -> Any:
        with self._lock:
            return answer_gripper(self.simulator, request, response)

    # The world's own time.

    def _run_world(self) -> None:
        begun, done = time.monotonic(), 0
        speed = self._speed
        while self._running.is_set():
            if speed != self._speed:
                begun, done, speed = time.monotonic(), 0, self._speed
            if speed > 0.0:
                wanted = (time.monotonic() - begun) * speed / TIMESTEP_S
                if wanted - done > _MOST_LAG_S * max(1.0, speed) / TIMESTEP_S:
                    # The machine was too busy: the world was late, and does not rush to catch up.
                    begun, done, wanted = time.monotonic(), 0, 1.0
                if done + 1 > wanted:
                    time.sleep(min(0.005, (done + 1 - wanted) * TIMESTEP_S / speed))
                    continue
            try:
                done += self._advance(int(wanted) - done if speed > 0.0 else _CHUNK_STEPS)
            except Exception as error:
                self.note_fault("world", error)
                time.sleep(0.1)

    def _advance(self, steps: int) -> int:
        steps = max(1, min(_CHUNK_STEPS, steps))
        with self._lock:
            for _ in range(steps):
                self.simulator.step()
            if self._commanded_at >= 0 and time.monotonic() - self._commanded_at > self.param(
                "command_timeout_s"
            ):
                self.simulator.drive(0.0, 0.0)
                self._commanded_at = -1.0
            messages = self._measure()
        for publisher, message in messages:
            publisher.publish(message)
        return steps

    def _is_due(self, what: str, rate_hz: float) -> bool:
        now = self.simulator.time_s
        if now < self._due.get(what, 0.0):
            return False
        self._due[what] = max(self._due.get(what, 0.0) + 1.0 / rate_hz, now)
        return True

    def _stamp(self) -> Time:
        if self.param("publish_clock"):
            return to_time(self.simulator.time_s)
        stamp: Time = self.get_clock().now().to_msg()
        return stamp

    def _measure(self) -> list[tuple[Any, Any]]:
        sim, out = self.simulator, []
        stamp = self._stamp()
        if self._clock_out is not None and self._is_due("clock", _RATES_HZ["clock"]):
            out.append((self._clock_out, ClockMessage(clock=stamp)))
        # The scan goes first and at once: everything that is measured before it leaves would delay the brake.
        if self._is_due("scan", self.param("scan_rate_hz")) and sim.alive("scan"):
            period = 1.0 / self.param("scan_rate_hz")
            self._scan.publish(convert_sim.scan_message(stamp, sim.laser, sim.scan(), period))
        if self._is_due("bumper", _RATES_HZ["bumper"]):
            out.append((self._bumper, Bool(data=sim.bumped)))
        if self._is_due("odom", _RATES_HZ["odom"]) and sim.alive("odom"):
            out.append((self._odom, convert_sim.odometry_message(stamp, sim.odometry)))
            out.append((self._pose, convert_sim.pose_message(stamp, sim.world.robot_pose)))
            if self._tf is not None:
                out.append((self._tf, self._frames(stamp)))
        if self._is_due("imu", _RATES_HZ["imu"]) and sim.alive("imu"):
            out.append((self._imu, convert_sim.imu_message(stamp, sim.imu())))
        if self._is_due("gas", _RATES_HZ["gas"]) and sim.alive("gas"):
            out.append((self._gas, Float32(data=sim.gas_ppm())))
        if self._is_due("battery", _RATES_HZ["battery"]) and sim.alive("battery"):
            out.append((self._battery, convert_sim.battery_message(stamp, sim.battery)))
            temperature = Temperature(temperature=sim.temperature_c, variance=0.1)
            temperature.header.stamp, temperature.header.frame_id = stamp, convert_sim.BASE_FRAME
            out.append((self._temperature, temperature))
        if self._is_due("objects", _RATES_HZ["objects"]) and sim.alive("camera"):
            seen = convert_sim.sightings_message(stamp, sim.sightings(), sim.sight.width, sim.sight.height)
            out.append((self._objects, seen))
        for said in sim.replies():
            self._utterances += 1
            out.append((self._answers, convert_sim.answer_message(stamp, said, self._utterances)))
        return out

    def _frames(self, stamp: Time) -> Any:
        from tf2_msgs.msg import TFMessage

        shape, sim = self.simulator.shape, self.simulator
        camera = (shape.camera_x_m, shape.camera_z_m, shape.camera_pitch_rad)
        return TFMessage(transforms=convert_sim.transforms(stamp, sim.world.robot_pose, sim.odometry, camera))

    def _run_camera(self) -> None:
        try:
            camera = Camera(self.simulator.world, self.param("camera_width"), self.param("camera_height"))
        except CameraUnavailableError as error:
            self._camera_trouble = str(error)
            self.get_logger().warning(str(error))
            return
        period = 1.0 / self.param("camera_rate_hz")
        next_at = time.monotonic()
        while self._running.is_set():
            if self.simulator.alive("camera"):
                self._take_picture(camera)
            next_at = max(next_at + period, time.monotonic() - period)
            time.sleep(max(0.0, next_at - time.monotonic()))
        camera.close()

    def _take_picture(self, camera: Camera) -> None:
        try:
            stamp = self._stamp()
            picture = camera.render(self._lock)
            self._image.publish(convert_sim.image_message(stamp, picture))
            self._camera_info.publish(
                convert_sim.camera_info_message(stamp, camera.width, camera.height, camera.focal_px())
            )
        except Exception as error:
            self.note_fault("camera", error)
            time.sleep(0.5)


if __name__ == "__main__":
    # It stands in for hardware, which does not wait for a busy processor.
    prefer_process()
    raise SystemExit(main(SimNode))
