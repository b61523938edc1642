"""L1-D audio: sound to utterances. No ROS in here."""

from zulong.audio.pcm import AudioFormatError, FrameStream
from zulong.audio.voice_activity import (
    SpeechScorer,
    UtteranceSegmenter,
    VoiceActivityUnavailableError,
    VoiceEvent,
    silero_scorer,
)

__all__ = [
    "AudioFormatError",
    "FrameStream",
    "SpeechScorer",
    "UtteranceSegmenter",
    "VoiceActivityUnavailableError",
    "VoiceEvent",
    "silero_scorer",
]
