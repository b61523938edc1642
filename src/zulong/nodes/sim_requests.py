"""Answers the simulator's two services: the hand of tests (SimControl) and the gripper (GripperControl)."""

from __future__ import annotations

import math
from typing import Any

from zulong.nodes.convert_sim import plain_json
from zulong.sim.gripper import GripperError
from zulong.sim.simulator import Simulator, UnknownEntityError, UnknownPlaceError
from zulong.srv import GripperControl, SimControl

_CONTROL = SimControl.Request
_GRIPPER = GripperControl.Request


def answer_control(sim: Simulator, request: Any, response: Any) -> Any:
    """Carry out a SimControl request on the world and fill the response."""
    try:
        problem = _problem(request)
        if problem:
            response.error_code, response.error_msg = SimControl.Response.INVALID_REQUEST, problem
            return response
        response.state_json = plain_json(_control(sim, request))
        response.error_code = SimControl.Response.SUCCEEDED
    except UnknownEntityError as error:
        response.error_code, response.error_msg = SimControl.Response.UNKNOWN_ENTITY, str(error)
    except UnknownPlaceError as error:
        response.error_code, response.error_msg = SimControl.Response.UNKNOWN_PLACE, str(error)
    return response


def _problem(request: Any) -> str:
    numbers = (request.value, request.yaw, request.position.x, request.position.y, request.position.z)
    if not all(map(math.isfinite, numbers)):
        return "Numbers must be finite."
    if request.command == _CONTROL.MOVE and not request.has_position:
        return "MOVE needs a position; set has_position."
    if request.command == _CONTROL.SET_BATTERY and not 0.0 <= request.value <= 1.0:
        return f"The state of charge must be 0 to 1, not {request.value}."
    if request.command > _CONTROL.SET_TEMPERATURE:
        return f"There is no command {request.command}."
    return ""


def _control(sim: Simulator, request: Any) -> dict[str, Any]:
    command, where = request.command, request.position
    point = (where.x, where.y) if request.has_position else None
    if command == _CONTROL.MOVE:
        # A height of zero means: on whatever is below.
        return sim.move(request.entity, where.x, where.y, where.z or None, request.yaw)
    if command == _CONTROL.REMOVE:
        return sim.remove(request.entity)
    if command == _CONTROL.STEP_IN_FRONT:
        return sim.step_in_front(request.entity, request.value or 0.8)
    if command == _CONTROL.WALK:
        return sim.walk(request.entity, request.text, point)
    if command == _CONTROL.SET_GAS:
        sim.leak(request.value, point)
    elif command == _CONTROL.SET_BATTERY:
        sim.battery.charge = request.value
    elif command == _CONTROL.SET_TILT:
        sim.imu_unit.tilt_rad = request.value
    elif command == _CONTROL.SET_TEMPERATURE:
        sim.temperature_c = request.value
    elif command == _CONTROL.SET_FAULT:
        sim.set_fault(request.entity, request.value)
    elif command == _CONTROL.RESET:
        sim.reset()
    elif command == _CONTROL.GET:
        return sim.state(request.entity or "robot")
    return sim.state("robot")


def answer_gripper(sim: Simulator, request: Any, response: Any) -> Any:
    """Carry out a GripperControl request and fill the response."""
    gripper = sim.gripper
    where = (request.position.x, request.position.y, request.position.z) if request.has_position else None
    try:
        if where is not None and not all(map(math.isfinite, where)):
            response.error_code, response.error_msg = (
                GripperControl.Response.INVALID_REQUEST,
                "The position must be finite.",
            )
        elif request.command > _GRIPPER.QUERY:
            response.error_code = GripperControl.Response.INVALID_REQUEST
            response.error_msg = f"There is no command {request.command}."
        elif request.command != _GRIPPER.QUERY and not (
            request.idempotency_key and request.idempotency_key == sim.gripper_key
        ):
            if request.command == _GRIPPER.GRASP:
                gripper.grasp(request.object_id, where)
            elif request.command == _GRIPPER.RELEASE:
                gripper.release(where)
            else:
                gripper.hand_over(request.person_id)
            sim.gripper_key = request.idempotency_key
    except GripperError as error:
        response.error_code = getattr(GripperControl.Response, error.fault.value)
        response.error_msg = str(error)
    response.held_id = gripper.held.spec.id if gripper.held else ""
    return response
