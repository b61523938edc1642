"""The planner's sentences in Chinese and English: questions, refusals, titles, summaries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.htn.answered import is_of_answer
from zulong.agent.htn.expand import OPERATOR
from zulong.agent.language.lexicon import Language, Vocabulary, plural_of

_SKILL_NAMES = {
    "cook": ("cooking", "做饭"), "fly": ("flying", "飞行"), "climb": ("climbing and jumping", "攀爬和跳跃"),
    "clean": ("cleaning", "打扫"), "open": ("opening and closing things", "开关门和柜子"),
    "switch": ("switching devices on and off", "开关电器"), "pour": ("pouring", "倒东西"),
    "phone": ("calling and messaging", "打电话和发消息"), "buy": ("buying", "购物"),
    "play": ("performing", "表演"), "repair": ("repairing", "修理"), "drive": ("driving vehicles", "驾驶车辆"),
    "cut": ("cutting", "切割"), "massage": ("massage", "按摩"),
    "embrace": ("holding or lifting people", "抱人"), "nurse": ("bathing, dressing or feeding", "喂食和照料"),
    "translate": ("translating", "翻译"), "compute": ("arithmetic", "算术"), "read": ("reading aloud", "朗读"),
    "write": ("writing", "书写"), "browse": ("looking things up on the web", "上网"),
    "photograph": ("taking pictures or recordings", "拍照和录音录像"), "wake": ("waking people", "叫醒人"),
    "hide": ("hiding things", "藏东西"), "eat": ("eating and drinking", "吃喝"), "swim": ("swimming", "游泳"),
    "person": ("what only people do", "只有人才做的事"),
    "steer": ("moves by hand, only for going somewhere", "手动操控"), "water": ("watering plants", "浇水"),
    "schedule": ("timers and appointments", "定时和提醒"), "volume": ("changing how loud it speaks", "调节音量"),
    "follow_thing": ("following things", "跟随东西"), "touch": ("touching things", "触碰"),
    "foresee": ("telling what is to come", "预知以后的事"), "past": ("telling what was before", "说出以前的事"),
    "advise": ("telling what people want or should do", "知道别人想要什么或该做什么"),
    "owner": ("telling whose things are", "知道东西是谁的"),
    "absent": ("telling what is not there", "说出不在那里的东西"),
    "explain": ("explaining things", "解释事情"), "watch": ("waiting for something to happen", "等事情发生"),
    "look_of_furniture": ("describing rooms and furniture", "描述房间和家具"),
    "remember": ("keeping what I am told in mind", "记住别人告诉我的事"),
    "furniture": ("moving furniture", "搬动家具"), "throw": ("throwing", "投掷"), "weather": ("weather reports", "天气预报"),
    "carry_two": ("carrying two things at once", "同时拿两样东西"), "gender": ("telling a person's gender", "判断性别"),
}  # fmt: skip


class Wording:
    """Sentences of the planner in one language."""

    def __init__(self, language: Language, vocabulary: Vocabulary) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self._zh = language == "zh"

    def choose(self, english: str, chinese: str) -> str:
        """Return the sentence of this language."""
        return chinese if self._zh else english

    def _list(self, names: Sequence[str]) -> str:
        if self._zh:
            return "、".join(names[:-1]) + ("还是" if len(names) > 1 else "") + names[-1] if names else ""
        names = [f"the {name}" for name in names]
        return ", ".join(names[:-1]) + (" or " if len(names) > 1 else "") + names[-1] if names else ""

    # -- questions -----------------------------------------------------------------------------------------

    def which(self, words: str, names: Sequence[str]) -> str:
        """Ask which of several is meant."""
        plain = words.removeprefix("the ")
        return self.choose(
            f"Which {plain} do you mean: {self._list(names)}?",
            f"你指的是哪一个{words}：{self._list(names)}？",
        )

    def ask_action(self) -> str:
        """Ask what is to be done when the robot was only called."""
        return self.choose("I am here. What shall I do?", "我在。要我做什么？")

    def ask_object(self) -> str:
        """Ask for the thing."""
        return self.choose("Which thing do you mean?", "你指的是什么东西？")

    def ask_place(self) -> str:
        """Ask for the place."""
        return self.choose("Which place do you mean?", "你指的是哪个地方？")

    def ask_goal(self, what: str) -> str:
        """Ask where something is to be put."""
        return self.choose(f"Where shall I put {what}?", f"要我把{what}放到哪里？")

    def ask_destination(self) -> str:
        """Ask where to go."""
        return self.choose("Where shall I go?", "要我去哪里？")

    def ask_person(self) -> str:
        """Ask for the person."""
        return self.choose("Which person do you mean?", "你指的是哪个人？")

    def which_person(self, names: Sequence[str]) -> str:
        """Ask which of the people who were named is meant."""
        either = " or ".join((", ".join(names[:-1]), names[-1]))
        return self.choose(f"Do you mean {either}?", f"你指的是{'、'.join(names)}中的哪一位？")

    def ask_recipient(self, what: str) -> str:
        """Ask who gets something."""
        return self.choose(f"To whom shall I give {what}?", f"要我把{what}给谁？")

    def ask_guide_goal(self, who: str) -> str:
        """Ask where a person is to be guided."""
        return self.choose(f"Where shall I guide {who}?", f"要我带{who}去哪里？")

    def ask_text(self) -> str:
        """Ask for the words to say."""
        return self.choose("What shall I say?", "要我说什么？")

    def confirm_words(self, words: str) -> str:
        """Ask whether these are the words to say, and no order."""
        return self.choose(f'Shall I say "{words}"?', f"要我说“{words}”吗？")

    def ask_question_text(self) -> str:
        """Ask for the words to ask."""
        return self.choose("What shall I ask?", "要我问什么？")

    def ask_duration(self) -> str:
        """Ask how long to wait."""
        return self.choose("How long shall I wait?", "要我等多久？")

    def offer(self, category: str, who: str = "") -> str:
        """Offer a drink or food for the speaker, or for somebody of this name, who is thirsty or hungry."""
        english, chinese = {"drink": ("to drink", "喝的"), "food": ("to eat", "吃的")}.get(
            category, ("", "东西")
        )
        return self.choose(
            f"Shall I bring {who or 'you'} something {english}?".replace(" ?", "?"),
            f"要我给{who or '你'}拿点{chinese}吗？",
        )

    def confirm(self, summary: str, words: Sequence[str]) -> str:
        """Ask whether a reading that leaves words unexplained is right."""
        quoted = ", ".join(f'"{word}"' for word in words)
        return self.choose(
            f"I did not understand {quoted}. {summary} Is that right?",
            f"我没听懂{'、'.join(f'“{word}”' for word in words)}。{summary}对吗？",
        )

    def ask_instead(self) -> str:
        """Ask for what is meant when only what is not meant was said."""
        return self.choose("All right, not that. What then?", "好的，不是那个。那要什么？")

    def ask_whole(self, words: str) -> str:
        """Ask for the whole order when a part of it was said that has no place in the one before."""
        return self.choose(
            f'What shall I do with "{words}"? Tell me the whole of it.',
            f"“{words}”要做什么？请把整句话告诉我。",
        )

    def ask_which(self) -> str:
        """Ask for one of the things that were left open."""
        return self.choose("Which of them?", "要哪一个？")

    def ask_condition(self, text: str) -> str:
        """Ask about a condition that the robot cannot check."""
        return self.choose(
            f'I cannot check "{text}". Shall I do it anyway?', f"我无法判断“{text}”。还要我做吗？"
        )

    # -- refusals ------------------------------------------------------------------------------------------

    def missing_skill(self, skill: str, verb: str) -> str:
        """Refuse what there is no skill for."""
        english, chinese = _SKILL_NAMES.get(skill, (skill, skill))
        return self.choose(
            f'I cannot do "{verb}": I have no skill for {english}.',
            f"我做不到“{verb}”：我没有{chinese}的技能。",
        )

    def cannot_answer(self, skill: str) -> str:
        """Refuse a question whose answer the robot cannot know."""
        english, chinese = _SKILL_NAMES.get(skill, (skill, skill))
        return self.choose(
            f"I cannot answer that: I have no skill for {english}.", f"我回答不了：我没有{chinese}的技能。"
        )

    def dangerous(self) -> str:
        """Refuse what could hurt somebody."""
        return self.choose(
            "I will not do that: it could hurt somebody or break something.",
            "我不会这样做：这可能伤到人或弄坏东西。",
        )

    def unknown_object(self, words: str, suggestion: str) -> str:
        """Refuse a thing that is not on the map."""
        words = re.sub(r"^(?:the|an?|any|some) ", "", words)
        hint = (
            self.choose(f' Did you mean "{suggestion}"?', f"你是说“{suggestion}”吗？") if suggestion else ""
        )
        return self.choose(
            f'I do not know any "{words}" here; tell me another name or add it to my map.{hint}',
            f"我这里不认识“{words}”；请换个说法，或把它加入地图。{hint}",
        )

    def unknown_variant(self, words: str, known: Sequence[str]) -> str:
        """Refuse a colour that no such thing has."""
        return self.choose(
            f'I do not know "{words}" here; I know {self._list(known)}.',
            f"我这里没有“{words}”；我知道的有{'、'.join(known)}。",
        )

    def unknown_place(self, words: str, suggestion: str) -> str:
        """Refuse a place that is not on the map."""
        hint = (
            self.choose(f' Did you mean "{suggestion}"?', f"你是说“{suggestion}”吗？") if suggestion else ""
        )
        return self.choose(
            f'There is no place called "{words}" on my map.{hint}', f"我的地图上没有“{words}”这个地方。{hint}"
        )

    def stays(self) -> str:
        """Refuse what cannot be done by a robot that is not to move."""
        return self.choose("I cannot do that without moving.", "不动我做不到。")

    def not_in_room(self, place: str, said: str, actual: str) -> str:
        """Refuse furniture that stands in another room."""
        return self.choose(
            f"The {place} is not in the {said}; the one I know is in the {actual}.",
            f"{place}不在{said}；我知道的那个在{actual}。",
        )

    def not_inside(self, room: str, other: str) -> str:
        """Refuse a room that is said to be in another one."""
        return self.choose(f"The {room} is not in the {other}.", f"{room}不在{other}里。")

    def unknown_person(self, words: str) -> str:
        """Refuse a person that is not known."""
        return self.choose(f'I do not know anybody called "{words}".', f"我不认识“{words}”。")

    def unknown_speaker(self) -> str:
        """Admit not to know who speaks."""
        return self.choose(
            "I do not know who you are; tell me your name.", "我还不知道您是谁，请告诉我您的名字。"
        )

    def unknown_garment(self, words: str) -> str:
        """Refuse clothes that the robot cannot recognise."""
        return self.choose(f'I cannot recognise "{words}" as clothes.', f"我认不出“{words}”这种衣服。")

    def myself(self) -> str:
        """Refuse to be done to oneself."""
        return self.choose("I cannot do that to myself.", "我不能对自己这样做。")

    def not_understood(self, text: str) -> str:
        """Admit that nothing was understood."""
        return self.choose(
            f'I did not understand "{text}". Tell me what to do, for example "bring me the red cup".',
            f"我没听懂“{text}”。请告诉我做什么，例如“把红色的杯子拿给我”。",
        )

    def forbidden_place(self, place: str) -> str:
        """Refuse to go where one must not."""
        return self.choose(
            f"I cannot do that without going to the {place}, and you told me not to.",
            f"不去{place}就做不到，而你让我不要去。",
        )

    def hand_full(self) -> str:
        """Refuse to carry two things."""
        return self.choose(
            "I have one hand and can carry only one thing at a time.", "我只有一只手，一次只能拿一样东西。"
        )

    def hand_empty(self) -> str:
        """Refuse to put down what was not picked up."""
        return self.choose(
            "I do not hold anything that I could put down or give.", "我手里没有可以放下或交出的东西。"
        )

    def no_way_left(self, title: str, error: str) -> str:
        """Admit that every way has been tried."""
        return self.choose(
            f"I could not {_plain(title)}: {error} I have tried every way that I know.",
            f"我没能{_plain(title)}：{error}我知道的办法都试过了。",
        )

    # -- words for arguments -------------------------------------------------------------------------------

    def argument(self, name: str, value: Any) -> str:
        """Return the words for an argument of a step in its title."""
        if value is None:
            return ""
        if isinstance(value, Mapping):
            return self.things(value) if name == "things" else self.thing(value)
        if isinstance(value, str):
            if "${" in value:
                return self._reference(name, value)
            if value == "here":
                return self.choose("here", "这里")
            if value == OPERATOR:
                return self._place_words(
                    name, self.choose("you", "你那里" if name == "place" else "你"), value
                )
            if value == "dock":
                return self._place_words(name, self.choose("my charging dock", "充电座"), value)
            if value in self.vocabulary_ids:
                return self._place_words(name, self.named(value), value)
            return value
        if isinstance(value, float):
            return f"{value:g}"
        return str(value)

    @property
    def vocabulary_ids(self) -> Mapping[str, str]:
        """Ids that have a name."""
        return self.vocabulary.ids

    def named(self, thing_id: str) -> str:
        """Return the name with its article."""
        name = self.vocabulary.name(thing_id, self.language)
        if self._zh or self.vocabulary.ids.get(thing_id) == "people":
            return name
        return f"the {name}"

    def _reference(self, name: str, value: str) -> str:
        if not value.startswith("${") or not value.endswith("}"):
            # What is not known before the step runs is left open in its title.
            return re.sub(r"\$\{[^}]*\}", "…", value)
        if name in ("text", "question"):
            return self.choose("what I find out", "得知的内容")
        if name in ("person", "to", "who"):
            return self.choose("the person", "那个人")
        if name in ("place", "from", "where", "at"):
            return self.choose("where it is", "它所在的地方")
        return self.choose("it", "它")

    def _place_words(self, name: str, words: str, value: str) -> str:
        if name == "where":
            if self._zh:
                return words if value == OPERATOR else f"在{words}"
            return f"near {words}" if value == OPERATOR else f"{self._preposition(value)} {words}"
        if name in ("at", "goal") and not self._zh:
            return f"{self._preposition(value)} {words}" if name == "at" else words
        return words

    def _preposition(self, place: str) -> str:
        return "in" if self.vocabulary.ids.get(place) == "rooms" else "at"

    def thing(self, what: Mapping[str, Any]) -> str:
        """Return the words for a description of a thing or a person."""
        if what.get("name") == "door":
            return self.choose("the door", "门")
        if "id" in what:
            return self.named(str(what["id"]))
        word = self.vocabulary.word
        adjectives: list[str] = []
        language = self.language
        if what.get("superlative"):
            adjectives.append(word("superlatives", what["superlative"], language))
        if what.get("size"):
            adjectives.append(word("sizes", what["size"], language))
        if what.get("colour"):
            adjectives.append(word("colours", what["colour"], language))
        if what.get("posture"):
            adjectives.append(word("postures", what["posture"], language))
        if what.get("gesture"):
            adjectives.append(word("gestures", what["gesture"], language))
        if what.get("side"):
            adjectives.append(
                {"left": self.choose("left", "左边"), "right": self.choose("right", "右边")}[what["side"]]
            )
        if is_of_answer(what):
            return self.choose("what was asked for", "对方要的东西")
        head = self._head(what)
        clothes = what.get("clothes") or {}
        worn = " ".join(
            word(section, clothes[key], language)
            for section, key in (("colours", "colour"), ("garments", "kind"))
            if clothes.get(key)
        )
        if self._zh:
            worn_words = f"穿{worn.replace(' ', '')}" if worn else ""
            parts = [part for part in (*adjectives, worn_words) if part]
            if what.get("not_ids"):
                parts.insert(
                    0, f"除了{'、'.join(self.vocabulary.name(i, 'zh') for i in what['not_ids'])}以外"
                )
            return "的".join([*parts, head]) if parts else head
        text = " ".join([*adjectives, head])
        definite = what.get("superlative") or what.get("kind") == "person"
        article = "the" if definite else "an" if text[:1] in "aeiou" else "a"
        text = f"{article} {text}"
        if worn:
            text += f" wearing {worn}"
        if what.get("not_ids"):
            text += f" other than {' or '.join(self.vocabulary.name(i, 'en') for i in what['not_ids'])}"
        if what.get("relation"):
            text += f" {what['relation'].replace('_', ' ')} {self.thing(what['to'])}"
        return text

    def things(self, what: Mapping[str, Any]) -> str:
        """Return the words for all that a description fits: "sitting people", "drinks"."""
        if self._zh or "id" in what:
            return self.thing(what)
        head = self._head(what)
        if what.get("kind") == "person":
            plural = "people"
        elif what.get("category"):
            plural = self.vocabulary.plurals.get(str(what["category"]), plural_of(head))
        else:
            plural = plural_of(head)
        singular = self.thing(what).removeprefix("the ").removeprefix("an ").removeprefix("a ")
        return singular.replace(head, plural, 1)

    def _head(self, what: Mapping[str, Any]) -> str:
        if what.get("name") == "door":
            return self.choose("door", "门")
        if what.get("name"):
            return self.vocabulary.word("objects", what["name"], self.language)
        if what.get("category"):
            return self.vocabulary.name(what["category"], self.language)
        if what.get("kind") == "person":
            people = {"male": ("man", "男人"), "female": ("woman", "女人"), "child": ("child", "孩子")}
            english, chinese = people.get(str(what.get("gender")), ("person", "人"))
            return self.choose(english, chinese)
        return self.choose("thing", "东西")

    def guarded(self, condition: str, titles: Sequence[str]) -> str:
        """Return the title of what is done under a condition: "if there is an apple, bring it to you"."""
        inner = self.choose(", then ", "，然后").join(_plain(title) for title in titles)
        condition = condition.strip(" ,，") or self.choose("if it holds", "如果成立")
        if not inner:
            return condition
        return self.choose(f"{condition}, {inner}", f"{condition}，就{inner}")

    def statement(self, condition: str) -> str:
        """Return what a condition says as a sentence: "There is no milk in the fridge.", "" when it says nothing."""
        words = condition.strip(" ,，。")
        for opening in (
            "in case ",
            "if ",
            "如果说",
            "要是说",
            "如果",
            "要是",
            "假如",
            "假设",
            "假使",
            "若是",
            "倘若",
            "一旦",
        ):
            if words.startswith(opening) and len(words) > len(opening):
                said = words.removeprefix(opening).removesuffix("的话")
                return self.choose(f"{said[:1].upper()}{said[1:]}.", f"{said}。")
        return ""

    def summary(self, titles: Sequence[str]) -> str:
        """Return one sentence for the whole plan."""
        if not titles:
            return self.choose("There is nothing to do.", "没有要做的事。")
        plain = [_plain(title) for title in titles]
        if self._zh:
            return "我会" + "，然后".join(plain) + "。"
        return "I will " + ", then ".join(plain) + "."


def _plain(title: str) -> str:
    return title.rstrip(" .。!！")
