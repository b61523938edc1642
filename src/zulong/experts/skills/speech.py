"""say and ask_person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.apartment import normal_key
from zulong.experts.skill import ErrorCode, Run, SkillError, SkillSpec
from zulong.experts.skills.toolbox import HERE, TEXT, WHAT, Toolbox, schema
from zulong.experts.wanted import OPERATOR_WORDS, parse_wanted

_TALK_M = 1.3
_FIRST_WAIT_S = 12.0
_SECOND_WAIT_S = 15.0


def language_of(text: str) -> str:
    """Return ``zh`` for text with Chinese characters, else ``en``."""
    return "zh" if any("\u4e00" <= ch <= "\u9fff" for ch in text) else "en"


class Say:
    """Speak words here."""

    spec = SkillSpec(
        name="say",
        description="Say words aloud.",
        arguments=schema(("text",), text=TEXT, language={"type": "string"}),
        result=schema(("text",), text=TEXT),
        typical_s=3.0,
        limit_s=60.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        text = str(arguments["text"]).strip()
        if not text:
            raise SkillError(ErrorCode.INVALID_ARGUMENTS, "There are no words to say in `text`.")
        self._tools.speak(text, run, str(arguments.get("language") or language_of(text)))
        return {"text": text}


class AskPerson:
    """Ask a person something and bring back the answer."""

    spec = SkillSpec(
        name="ask_person",
        description="Ask a person a question and return the answer; without a person, whoever is here answers.",
        arguments=schema(("question",), question=TEXT, person=WHAT),
        result=schema(
            ("answer", "person"), answer=TEXT, person={"type": "string"}, language={"type": "string"}
        ),
        moves_base=True,
        typical_s=15.0,
        limit_s=120.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools, question = self._tools, str(arguments["question"]).strip()
        who, name = "", "Anybody"
        wanted = arguments.get("person")
        # The one who gave the errand hears the robot through the gateway wherever the robot is.
        if wanted and not (isinstance(wanted, str) and normal_key(wanted) in (*OPERATOR_WORDS, *HERE)):
            person = tools.find_person(parse_wanted(wanted, tools.home), run, (0.0, 0.4))
            person = tools.go_to_person(person, run, _TALK_M, (0.4, 0.6))
            who, name = person.id, person.name
        for wait_s in (_FIRST_WAIT_S, _SECOND_WAIT_S):
            asked_s = run.robot.clock_s()
            run.report(0.7, f"Asking {name}: {question}")
            tools.speak(question, run, language_of(question))
            answer = self._listen(run, asked_s, wait_s, who)
            if answer is not None:
                return {
                    "answer": answer.text,
                    "person": answer.person or who,
                    "language": answer.language,
                    "question": question,
                }
        raise SkillError(ErrorCode.NO_ANSWER, f"{name} did not answer the question {question!r}.")

    def _listen(self, run: Run, since_s: float, wait_s: float, who: str) -> Any:
        end = run.robot.clock_s() + wait_s
        while run.robot.clock_s() < end:
            for heard in run.robot.heard_since(since_s):
                if heard.text.strip() and (not who or heard.person in ("", who)):
                    return heard
            run.pause(0.1)
        return None
