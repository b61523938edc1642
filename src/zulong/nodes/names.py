"""Every topic, service and action name, once. Relative, so that a namespace makes a second robot."""

from __future__ import annotations

from typing import Final

# Sensors and actuators: the standard names, so that a driver or Gazebo replaces the simulator by remapping.
IMAGE: Final = "camera/image_raw"
CAMERA_INFO: Final = "camera/camera_info"
SCAN: Final = "scan"
ODOM: Final = "odom"
POSE: Final = "pose"
IMU: Final = "imu"
BATTERY: Final = "battery_state"
BUMPER: Final = "bumper"
GAS: Final = "gas"
CMD_VEL: Final = "cmd_vel"  # to the base; published by the reflex alone
CMD_VEL_RAW: Final = "cmd_vel_raw"  # what the skills want; the reflex lets it through or not

TEMPERATURE: Final = "temperature"
TF: Final = "/tf"  # absolute by ROS convention
CLOCK: Final = "/clock"  # absolute by ROS convention
GRIPPER: Final = "gripper"  # zulong/GripperControl

# Simulation only
SIM_OBJECTS: Final = "sim/objects"  # DetectionArray in the frame map: what a good detector would find
SIM_CONTROL: Final = "sim/control"  # zulong/SimControl

# Layers
EVENTS: Final = "events"
EVENTS_ORDERED: Final = "events/ordered"
REFLEX_EVENT: Final = "reflex/event"
SAFETY_STATE: Final = "safety/state"
SAFETY_STOP: Final = "safety/emergency_stop"  # std_srvs/Trigger
SAFETY_RESET: Final = "safety/reset"  # std_srvs/Trigger
DETECTIONS: Final = "detections"
SCENE: Final = "scene"
ANNOTATED_IMAGE: Final = "camera/annotated"
AUDIO_IN: Final = "audio/input"
AUDIO_OUT: Final = "audio/output"
TRANSCRIPT: Final = "transcript"
VOICE_ACTIVITY: Final = "voice_activity"  # std_msgs/Bool: somebody speaks
ANSWERS: Final = "answers"  # Transcript: what people answered, never taken for an instruction
TEXT_OUT: Final = "output/text"
TEXT_IN: Final = "output/input"
SKILLS: Final = "skills"
TASK_GRAPH: Final = "task_graph"
APPROVAL_REQUESTS: Final = "approval_requests"
DIAGNOSTICS: Final = "/diagnostics"  # absolute by ROS convention; the status names carry the namespace

REMEMBER: Final = "remember"
RECALL: Final = "recall"
LINK_MEMORIES: Final = "link_memories"
REINFORCE: Final = "reinforce"
FORGET: Final = "forget"
GET_MEMORY: Final = "get_memory"
EXPORT_MEMORY: Final = "export_memory"
REVIEW_MEMORY: Final = "review_memory"
PREDICT_TOOLS: Final = "predict_tools"
CONTROL_TASK: Final = "control_task"
GET_TASK_HISTORY: Final = "get_task_history"
FORK_TASK: Final = "fork_task"
LIST_TASKS: Final = "list_tasks"
APPROVE: Final = "approve"
CONTROL_OUTPUT: Final = "control_output"
SET_ATTENTION: Final = "set_attention"
SET_POWER: Final = "set_power"

EXECUTE_TASK: Final = "execute_task"
EXECUTE_SKILL: Final = "execute_skill"
SAY: Final = "say"
