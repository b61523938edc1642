"""Instructions in Chinese and English, read by a grammar into a meaning."""

from zulong.agent.language.lexicon import Lexicon, LexiconError, Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Meaning, Referent
from zulong.agent.language.reader import read

__all__ = ["Clause", "Condition", "Lexicon", "LexiconError", "Meaning", "Referent", "Vocabulary", "read"]
