"""The way out: words leave through one gate that a stop closes at once. No ROS in here."""

from zulong.output.gate import GateState, OutputGate, Words

__all__ = ["GateState", "OutputGate", "Words"]
