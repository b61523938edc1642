"""Drives the base to a goal: plans on the map and the live scan, follows, plans anew, recovers, gives up in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from zulong.apartment import Apartment, Pose2D
from zulong.experts.navigation.astar import Footing, find_path, path_length, reachable_part
from zulong.experts.navigation.grid import ClearanceGrid
from zulong.experts.navigation.obstacles import CELL_M, ObstacleMemory
from zulong.experts.navigation.pursuit import DriveLimits, PathFollower
from zulong.experts.robot import DeviceError, LaserView
from zulong.experts.skill import ErrorCode, Run, SkillError

GoalChooser = Callable[[ClearanceGrid, Pose2D], Pose2D | None]
"""Chooses where to stand, given what is free now and where the robot is; None where nothing is free."""


_CLEARLY_SHORTER = 0.85
_BODY_DEPTH_M = 0.22
_SILENCE_S = 5.0
_Reading = TypeVar("_Reading")


@dataclass(slots=True, frozen=True)
class NavigatorConfig:
    """How the navigator behaves (SI units)."""

    period_s: float = 0.05
    replan_s: float = 1.5
    look_ahead_m: float = 2.0
    arrive_m: float = 0.06
    arrive_rad: float = 0.06
    patience_s: float = 20.0
    doubt_s: float = 3.0
    stuck_s: float = 3.0
    stuck_m: float = 0.05
    back_off_m: float = 0.20
    seen_reach_m: float = 4.0
    new_thing_m: float = 0.15


class Navigator:
    """Knows the map of a home and drives a robot through it. One drive at a time.

    Args:
        home: the map.
        limits: of the base.
        footing: how near to things the base may go.
        config: behaviour.
    """

    def __init__(
        self,
        home: Apartment,
        limits: DriveLimits | None = None,
        footing: Footing | None = None,
        config: NavigatorConfig | None = None,
    ) -> None:
        self.home = home
        self.limits = limits or DriveLimits()
        self.footing = footing or Footing()
        self.config = config or NavigatorConfig()
        self.grid = ClearanceGrid.of(home)
        self._obstacles = ObstacleMemory(reach_m=self.config.seen_reach_m)
        self._seen_s = -math.inf

    def drive_to(
        self,
        chooser: GoalChooser,
        run: Run,
        what: str,
        share: tuple[float, float] = (0.0, 1.0),
        may_go: Callable[[], bool] | None = None,
        goal_moves: bool = False,
    ) -> Pose2D:
        """Drive to where ``chooser`` says, turn to its yaw, and return the pose reached, at rest.

        Args:
            chooser: asked again when somebody occupies what it chose.
            run: cancel, deadline, progress.
            what: the goal's name in sentences.
            share: the part of the skill's progress that this drive fills.
            may_go: asked at each step; while it says no, the base stands (somebody is waited for).
            goal_moves: ask the chooser at each plan (somebody is followed); else only when its last goal is taken.

        Raises:
            SkillError: UNREACHABLE (the map has no way), BLOCKED (things stand in the way and do not go),
                TIMEOUT, UNAVAILABLE (no pose or no scan), CANCELED.
        """
        try:
            return _Drive(self, chooser, run, what, share, may_go, goal_moves).go()
        except DeviceError as error:
            raise SkillError(ErrorCode.UNAVAILABLE, str(error)) from error
        finally:
            run.robot.drive(0.0, 0.0)

    def turn_to(self, yaw: float, run: Run, tolerance_rad: float | None = None) -> None:
        """Turn on the spot to a heading (radians in the map).

        Raises:
            SkillError: BLOCKED if the base does not turn, TIMEOUT, UNAVAILABLE, CANCELED.
        """
        tolerance = tolerance_rad if tolerance_rad is not None else self.config.arrive_rad
        robot = run.robot
        started = robot.clock_s()
        try:
            while True:
                run.check()
                error = math.remainder(yaw - patiently(robot.pose, run).yaw, math.tau)
                if abs(error) <= tolerance:
                    return
                if robot.clock_s() - started > self.config.patience_s:
                    raise SkillError(
                        ErrorCode.BLOCKED, "The base does not turn; free it, or lift the stop that holds it."
                    )
                limit = self.limits.angular_rps
                rate = max(-limit, min(limit, self.limits.turn_gain * error))
                robot.drive(0.0, math.copysign(max(0.12, abs(rate)), error))
                run.pause(self.config.period_s)
        except DeviceError as error:
            raise SkillError(ErrorCode.UNAVAILABLE, str(error)) from error
        finally:
            robot.drive(0.0, 0.0)

    def new_things(self, view: LaserView) -> NDArray[np.float64]:
        """Return points [n, 2] in the map that the laser saw and the map does not hold, one a 5 cm cell."""
        points = laser_points(view, self.config.seen_reach_m)
        if not len(points):
            return points
        known = self.grid.map_clearance(points[:, 0], points[:, 1]) < self.config.new_thing_m
        fresh = points[~known]
        if not len(fresh):
            return fresh
        # The laser sees the near side alone: things have depth, and behind a person is not where to stand.
        away = fresh - (view.pose.x, view.pose.y)
        far_side = fresh + _BODY_DEPTH_M * away / np.maximum(
            np.linalg.norm(away, axis=1, keepdims=True), 1e-6
        )
        cells = np.unique(np.round(np.concatenate([fresh, far_side]) / CELL_M).astype(int), axis=0)
        result: NDArray[np.float64] = cells * CELL_M
        return result

    def forget_hidden(self) -> None:
        """Forget things that the laser does not see now."""
        self._obstacles.forget_hidden()
        self._seen_s = -math.inf

    def see(self, view: LaserView) -> None:
        """Bring what the laser sees, and what it saw before it was hidden, into the grid."""
        if view.taken_s != self._seen_s:
            self._seen_s = view.taken_s
            self.grid.set_points(self._obstacles.update(self.new_things(view), view))


def patiently(read: Callable[[], _Reading], run: Run) -> _Reading:
    """Read a device; while it is silent the base stands, and only a longer silence is an error.

    Raises:
        DeviceError: still silent after some seconds.
        SkillError: CANCELED or TIMEOUT meanwhile.
    """
    end = run.robot.clock_s() + _SILENCE_S
    while True:
        try:
            return read()
        except DeviceError:
            run.robot.drive(0.0, 0.0)
            if run.robot.clock_s() >= end:
                raise
            run.pause(0.1)


def laser_points(view: LaserView, reach_m: float) -> NDArray[np.float64]:
    """Return the returns of a scan within ``reach_m`` as points [n, 2] in the map, metres."""
    ranges = np.asarray(view.ranges_m, float)
    angles = view.pose.yaw + view.angle_min_rad + view.angle_increment_rad * np.arange(len(ranges))
    near = np.isfinite(ranges) & (ranges < reach_m) & (ranges > 0.02)
    return np.stack(
        [
            view.pose.x + ranges[near] * np.cos(angles[near]),
            view.pose.y + ranges[near] * np.sin(angles[near]),
        ],
        axis=1,
    )


class _Drive:
    """The state of one drive."""

    def __init__(
        self,
        owner: Navigator,
        chooser: GoalChooser,
        run: Run,
        what: str,
        share: tuple[float, float],
        may_go: Callable[[], bool] | None,
        goal_moves: bool,
    ) -> None:
        self.may_go, self.goal_moves = may_go, goal_moves
        self.owner, self.chooser, self.run, self.what, self.share = owner, chooser, run, what, share
        self.robot, self.config = run.robot, owner.config
        self.goal: Pose2D | None = None
        self.follower: PathFollower | None = None
        self.planned_s = -math.inf
        self.blocked_since_s: float | None = None
        self.moved_s = self.robot.clock_s()
        self.moved_from = patiently(self.robot.pose, self.run)
        self.whole_way_m = 0.0
        self.speed = 0.0

    def go(self) -> Pose2D:
        self._require_way()
        while True:
            self.run.check()
            pose, now = patiently(self.robot.pose, self.run), self.robot.clock_s()
            self.owner.see(patiently(self.robot.laser, self.run))
            need = self._needs_plan(pose, now)
            if need:
                self._plan(pose, now, old_is_free=need == "time")
            if self.follower is None or self.goal is None:
                self._wait_for_way(now)
                continue
            left = self.follower.distance_left(pose)
            beside = math.hypot(self.goal.x - pose.x, self.goal.y - pose.y)
            if beside <= self.config.arrive_m:
                break
            if self.may_go is not None and not self.may_go():
                self._stand(now)
                continue
            linear, angular = self.follower.velocity(pose, self.speed, self._nearest(pose))
            self.robot.drive(linear, angular)
            self.speed = linear
            self._note_progress(pose, now, left)
            self.run.pause(self.config.period_s)
        self.robot.drive(0.0, 0.0)
        self.owner.turn_to(self.goal.yaw, self.run)
        return patiently(self.robot.pose, self.run)

    def _stand(self, now: float) -> None:
        self.robot.drive(0.0, 0.0)
        self.speed, self.moved_s = 0.0, now
        self._report("Waiting.", None)
        self.run.pause(0.2)

    def _require_way(self) -> None:
        """Refuse at once what no patience can reach: the map itself has no way."""
        grid, pose = self.owner.grid, patiently(self.robot.pose, self.run)
        grid.set_points(np.empty((0, 2)))
        self.owner._seen_s = -math.inf
        if self._choose(grid, pose) is None:
            raise SkillError(
                ErrorCode.UNREACHABLE, f"No way wide enough leads to {self.what}; name another place."
            )

    def _choose(self, grid: ClearanceGrid, pose: Pose2D) -> tuple[Pose2D, list[tuple[float, float]]] | None:
        """Return a goal and the way to it: the best spot, else the best of those that can be reached."""
        start = (pose.x, pose.y)
        for part in (grid, None):
            goal = self.chooser(part or reachable_part(grid, start, self.owner.footing), pose)
            path = find_path(grid, start, (goal.x, goal.y), self.owner.footing) if goal else None
            if goal is not None and path is not None:
                return goal, path
        return None

    def _needs_plan(self, pose: Pose2D, now: float) -> str:
        """Why a new plan is due: ``none`` yet, the way is ``barred``, ``time``; empty if it is not."""
        if self.follower is None:
            return "none"
        way = 0.0
        ahead = self.follower.remaining(pose)
        for a, b in pairwise(ahead):
            steps = max(1, math.ceil(math.dist(a, b) / 0.1))
            for i in range(1, steps + 1):
                x, y = a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps
                if self.owner.grid.clearance_at(x, y) < self.owner.footing.hard_m - 0.05 and way > 0.3:
                    return "barred" if now - self.planned_s > 0.2 else ""
                way += math.dist(a, b) / steps
            if way > self.config.look_ahead_m:
                break
        return "time" if now - self.planned_s > self.config.replan_s else ""

    def _plan(self, pose: Pose2D, now: float, old_is_free: bool) -> None:
        grid = self.owner.grid
        self.planned_s = now
        # A choice among equals flickers with the noise of the scan: what was chosen is kept while it is free.
        kept = self.goal if not self.goal_moves else None
        path = None
        if kept is not None and grid.clearance_at(kept.x, kept.y) >= self.owner.footing.hard_m:
            path = find_path(grid, (pose.x, pose.y), (kept.x, kept.y), self.owner.footing)
        choice = (kept, path) if kept is not None and path is not None else self._choose(grid, pose)
        if choice is None:
            self._note_barred(now)
            return
        goal, path = choice
        self.blocked_since_s = None
        # Left or right of a person are often as good: changing its mind, the base would get nowhere.
        kept_way = self.follower if old_is_free and goal is self.goal else None
        if kept_way is not None and path_length(path) > _CLEARLY_SHORTER * kept_way.distance_left(pose):
            return
        self.goal, self.follower = goal, PathFollower(path, self.owner.limits)
        self.whole_way_m = max(self.whole_way_m, path_length(path))

    def _note_barred(self, now: float) -> None:
        if self.blocked_since_s is None:
            self.blocked_since_s = now
        elif now - self.blocked_since_s > self.config.doubt_s:
            # Perhaps what bars the way is only remembered.
            self.owner.forget_hidden()
        self.follower = None
        self.robot.drive(0.0, 0.0)
        self.speed = 0.0

    def _wait_for_way(self, now: float) -> None:
        blocked_s = now - (self.blocked_since_s if self.blocked_since_s is not None else now)
        if blocked_s > self.config.patience_s:
            raise SkillError(
                ErrorCode.BLOCKED,
                f"Something stands in the way to {self.what} and did not go away; clear it and ask again.",
            )
        self._report(f"Something is in the way to {self.what}; waiting.", None)
        self.moved_s = now
        self.run.pause(0.25)

    def _note_progress(self, pose: Pose2D, now: float, left: float) -> None:
        turned = abs(math.remainder(pose.yaw - self.moved_from.yaw, math.tau))
        if pose.distance_to(self.moved_from) > self.config.stuck_m or turned > 0.15:
            self.moved_s, self.moved_from = now, pose
            self.blocked_since_s = None
        self._report(f"Driving to {self.what}.", left)
        if now - self.moved_s > self.config.stuck_s:
            self._recover(now)

    def _recover(self, now: float) -> None:
        """The base was asked to move and did not: back off a little where the laser says it is free, and plan anew."""
        if self.blocked_since_s is None:
            self.blocked_since_s = self.moved_s
        if now - self.blocked_since_s > self.config.patience_s:
            raise SkillError(
                ErrorCode.BLOCKED,
                f"The base does not get on towards {self.what}; clear its way or lift the stop that holds it.",
            )
        since = self.blocked_since_s
        self._report("Stuck; backing off.", None)
        if _free_behind(patiently(self.robot.laser, self.run)) > self.config.back_off_m + 0.45:
            end = now + self.config.back_off_m / 0.1
            while self.robot.clock_s() < end:
                self.robot.drive(-0.1, 0.0)
                self.run.pause(self.config.period_s)
        self.robot.drive(0.0, 0.0)
        self.run.pause(0.5)
        self.follower, self.speed = None, 0.0
        self.moved_s, self.moved_from = self.robot.clock_s(), patiently(self.robot.pose, self.run)
        self.blocked_since_s = since

    def _nearest(self, pose: Pose2D) -> float:
        ranges = np.asarray(patiently(self.robot.laser, self.run).ranges_m)
        finite = ranges[np.isfinite(ranges)]
        return float(finite.min()) if len(finite) else 10.0

    def _report(self, message: str, left: float | None) -> None:
        low, high = self.share
        done = 0.0 if left is None or self.whole_way_m <= 0 else 1.0 - left / self.whole_way_m
        state = {} if left is None else {"distance_left_m": round(left, 2)}
        self.run.report(low + (high - low) * min(1.0, max(0.0, done)), message, **state)


def _free_behind(view: LaserView) -> float:
    """Return the nearest return in the 70 degrees behind the base, metres."""
    ranges = np.asarray(view.ranges_m, float)
    angles = view.angle_min_rad + view.angle_increment_rad * np.arange(len(ranges))
    behind = np.cos(angles) < -math.cos(math.radians(35))
    return float(np.min(ranges[behind], initial=10.0))
