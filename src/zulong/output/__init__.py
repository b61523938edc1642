"""The way out: words and speech leave through one gate that a stop closes at once. No ROS in here."""

from zulong.output.gate import GateState, OutputGate, Words
from zulong.output.speaker import Ending, Loudspeaker, Speaker, Spoken, Utterance

__all__ = ["Ending", "GateState", "Loudspeaker", "OutputGate", "Speaker", "Spoken", "Utterance", "Words"]
