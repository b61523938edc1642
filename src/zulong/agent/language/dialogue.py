"""The dialogue: answers to questions, corrections and fragments complete what was said before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zulong.agent.language.meaning import (
    CARRYING,
    Clause,
    Meaning,
    Referent,
    clause_from_dict,
    referent_from_dict,
)
from zulong.agent.language.merge import merge_referent, with_antecedents


def resume(meaning: Meaning, context: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Return the clauses to do now.

    A full instruction stands for itself. A fragment after a question fills the gap that was asked for; a
    correction changes the last instruction; "yes" confirms it.
    """
    named = [referent_from_dict(entry) for entry in context.get("named") or ()]
    if named and meaning.clauses:
        # "The red cup." - "What shall I do with it?" - "Bring it to me."
        return tuple(with_antecedents(list(meaning.clauses), named)[0])
    before = tuple(clause_from_dict(entry) for entry in context.get("clauses") or ())
    pending = str((context.get("pending") or {}).get("slot") or "")
    if not before:
        return meaning.clauses
    answered = _answered(before, meaning, pending)
    if answered is not None:
        return answered
    another = _LENGTH.search(meaning.text) or (
        before[-1].action == "wait" and _ANOTHER_TIME.fullmatch(meaning.text.strip())
    )
    if len(meaning.clauses) == 1 and another and meaning.clauses[0].action == "wait":
        # 「太久了，三十秒就行」「十分钟吧」
        return _corrected_by_clauses(before, meaning.clauses)
    if meaning.clauses:
        new = (_of_what_was_named(before[-1], meaning.clauses[0]), *meaning.clauses[1:])
        return _corrected_by_clauses(before, new) if meaning.correction else new
    if meaning.fragment and not pending and not meaning.correction and _adds(meaning.text):
        added = before[-1:]
        went = before[-2].goal if len(before) > 1 and before[-2].action == "go" else None
        if added[0].action in ("count", "describe") and added[0].where is None and went is not None:
            # 「去厨房数数有几个杯子。」-「盘子也数一下。」
            added = (replace(added[0], where=went),)
        for referent in meaning.fragment:
            finds_out = before[-1].topic or before[-1].action in ("count", "describe", "find")
            added = _fill(added, referent, "where" if finds_out else "")
        return added
    if not pending and not meaning.correction and _completes(before[-1], meaning):
        return _fill(before[-1:], meaning.fragment[0], "goal")
    if not pending and not meaning.correction and _specifies(before[-1], meaning.fragment):
        return _fill(before, meaning.fragment[0], "")
    if meaning.fragment and (pending or meaning.correction):
        clauses = before
        slot = "source" if _FROM.match(meaning.text.strip().lower()) else pending
        looks = before[-1].action in ("count", "describe") or bool(before[-1].topic)
        for referent in meaning.fragment:
            if meaning.correction and not pending and _singles_out(referent):
                # 「把苹果给简。」-「不对，是招手的那位。」: somebody else, of whom nothing else is known.
                clauses = _of_somebody_else(clauses, referent)
                continue
            if meaning.correction and referent.kind == "place" and looks and _went_to_look(before):
                # 「去卧室看看有几个人。」-「不是卧室，是浴室。」
                there = before[-1] if before[-1].where is None else replace(before[-1], where=referent)
                clauses = (replace(before[0], goal=referent), there)
                continue
            # "Count the cups on the table." - "No, in the dishwasher."
            elsewhere = not slot and looks and referent.kind == "place"
            clauses = _fill(clauses, referent, "where" if elsewhere else slot)
        return clauses
    return ()


def of_what_was_named(text: str, context: Mapping[str, Any]) -> str:
    """Return 「把它挪到书架上」 for 「挪到书架上」 after a thing was named; by itself it would move the robot."""
    until = _UNTIL_THERE.fullmatch(text.strip()) if context.get("clauses") else None
    if until is not None:
        # 「跟着我。」-「到卧室就停。」
        return f"到{until[1]}"
    too = _TOO.fullmatch(text.strip()) if context.get("clauses") else None
    if too is not None:
        # 「把牛奶放冰箱。」-「橙汁也放进去。」
        return f"{too[1]}也是"
    moved = bool(context.get("named")) and _MOVED.match(text.strip()) is not None
    return f"把它{text.strip()}" if moved else text


def _answered(before: tuple[Clause, ...], meaning: Meaning, pending: str) -> tuple[Clause, ...] | None:
    """Return the clauses before with the answer to the question in them, None when it was not answered."""
    if pending == "confirmation" and meaning.affirmation is True:
        return before
    threat = any(clause.action == "dangerous" for clause in meaning.clauses)
    if pending == "text" and meaning.affirmation is None and not threat:
        return _with_words(before, meaning)
    if pending == "duration" and meaning.clauses and meaning.clauses[0].action == "wait":
        seconds = meaning.clauses[0].seconds
        return tuple(
            # 「等一会儿」: the while is told now.
            replace(clause, seconds=seconds, theme=None)
            if clause.action == "wait" and clause.seconds is None
            else clause
            for clause in before
        )
    if not pending and len(meaning.clauses) == 1 and _ON_TO.match(meaning.text.strip()):
        # 「跟着简。」-「到厨房。」
        goal = meaning.clauses[0].goal
        if meaning.clauses[0].action == "go" and goal is not None and before[-1].action in _AIMLESS:
            return _fill(before[-1:], goal, "goal") if before[-1].goal is None else None
    if pending in ("goal", "place") and len(meaning.clauses) == 1 and _only_aims(meaning.clauses[0]):
        # 「带简走。」-「去哪里？」-「去出口。」「带到出口就行。」
        goal = meaning.clauses[0].goal
        if goal is not None and before[-1].action in ("guide", "bring", "put", "take", "follow"):
            return _fill(before, goal, pending)
    if pending == "object" and len(meaning.clauses) == 1 and _only_describes(meaning.clauses[0]):
        # "Which cup?" - "I'd like the red one."
        theme = meaning.clauses[0].theme
        return _fill(before, theme, pending) if theme is not None else None
    if _asks_for_another(before, meaning):
        return (_once_more(before[-1], meaning),)
    if not pending and _AGAIN.fullmatch(meaning.text.strip()):
        return before
    if pending == "confirmation" and meaning.fragment and not meaning.clauses:
        # "Bring me cola or milk." - "... Is that right?" - "The milk."
        chosen = tuple(clause for clause in before if _names(clause, meaning.fragment[0]))
        if chosen and len(chosen) < len(before):
            return chosen
    if pending == "object" and not meaning.clauses and any(word in meaning.text.lower() for word in _ANY):
        return tuple(_any_will_do(clause) for clause in before)
    return None


def _only_aims(clause: Clause) -> bool:
    """Tell whether an order says nothing but where to."""
    unnamed = clause.theme is None or bool(clause.theme.pronoun)
    return clause.action == "go" or (clause.action in _LEADING and unnamed and clause.recipient is None)


_ON_TO = re.compile(r"^(?:就)?到(?!了|时|底|处|点)")
_LEADING = frozenset(("guide", "bring", "put", "take", "follow"))


def _only_describes(clause: Clause) -> bool:
    """Tell whether a wish says nothing but which of several things is meant."""
    theme = clause.theme
    told = (
        theme is not None and theme.kind == "object" and not (theme.name or theme.category or theme.pronoun)
    )
    described = theme is not None and bool(
        theme.colour or theme.size or theme.superlative or theme.at or theme.side
    )
    mine = clause.recipient is None or clause.recipient.pronoun == "me"
    return (
        clause.inferred and clause.action == "bring" and told and described and mine and clause.goal is None
    )


def _asks_for_another(before: tuple[Clause, ...], meaning: Meaning) -> bool:
    """Tell "one more, please" and 「再取一个」 after something was brought: the same once more."""
    last = before[-1]
    if (
        last.action == "tell"
        and last.topic == "joke"
        and _ANOTHER_JOKE.fullmatch(meaning.text.strip().lower())
    ):
        return True
    if not meaning.text.strip().lower().startswith(_MORE) or last.action not in ("bring", "take", "put"):
        return False
    themes = [clause.theme for clause in meaning.clauses] if meaning.clauses else list(meaning.fragment)
    if not meaning.clauses and meaning.text.strip(" .!。！").lower() in _ONE_MORE:
        return True
    only = len(themes) == 1 and themes[0] is not None and not (themes[0].name or themes[0].category)
    others = [r for clause in meaning.clauses for r in (clause.goal, clause.source, clause.where)]
    return only and not any(others)


# All that was said last, once more.
_AGAIN = re.compile(
    r"(?:and |now |ok(?:ay)?,? |please,? |robot,? )*(?:(?:do|repeat|try) (?:it|that|this|the same(?: thing)?) )?"
    r"(?:again|once more|once again|one more time|(?<=repeat )that|the same again)(?: please|, please)?[.!]*"
    r"|(?:please )?repeat (?:it|that)(?: please|, please)?[.!]*"
    r"|(?:请|那|好|，|麻烦|你|照这个|照这样|照刚才的|同样的?|一样的?|按刚才的?|按这个)*(?:再|重新?|重复)"
    r"(?:来|做|跑|去|说|试|数|看|问|讲|找|念|报|走|转|逛|绕|送|带|溜达|等|巡)?(?:给我)?(?:一|"
    r"上)?(?:次|遍|回|趟)(?:吧|好吗|好不好|可以吗|啊|呗)?[。！]*",
    re.IGNORECASE,
)
_ANOTHER_JOKE = re.compile(
    r"(?:and |ok(?:ay)?,? |please,? |tell (?:me|us) )*(?:another|one more)(?: one| joke)?(?:,? please)?[.!?]*"
    r"|(?:请|那)?再(?:给我)?(?:讲|说|来)(?:一)?(?:个|段)(?:笑话)?(?:吧|呗|好吗|听听)?[。！？]*"
)
_ONE_MORE = (
    "one more",
    "one more please",
    "one more, please",
    "another one",
    "another one please",
    "another one, please",
)
_MORE = (
    "再取",
    "再拿",
    "再来",
    "再给我",
    "再送",
    "another",
    "one more",
    "bring me another",
    "get me another",
)


def _once_more(last: Clause, meaning: Meaning) -> Clause:
    """Return the last order for one thing more, and for whom it is said to be."""
    theme = last.theme
    if theme is not None and (theme.number not in (None, 1) or theme.plural):
        theme = replace(theme, number=None, plural=False, definite=False)
    recipient = meaning.clauses[0].recipient if meaning.clauses else None
    told = recipient is not None and (recipient.pronoun != "me" or _FOR_ME.search(meaning.text.lower()))
    return replace(last, theme=theme, recipient=recipient if told else last.recipient)


_FOR_ME = re.compile(r"\bme\b|给我|替我|帮我")


def _names(clause: Clause, answer: Referent) -> bool:
    return any(
        other.kind == answer.kind
        and (other.name, other.colour or answer.colour) == (answer.name, answer.colour)
        for other in (clause.theme, clause.goal, clause.recipient)
        if other is not None and answer.name
    )


_NOT_WORDS = frozenset(("free", "exists", "where", "count", "property", "attribute", "state"))


def _with_words(before: tuple[Clause, ...], meaning: Meaning) -> tuple[Clause, ...] | None:
    """Take the answer to "what shall I say?" word by word, or as one of the topics that the robot knows."""
    topic = meaning.clauses[0].topic if len(meaning.clauses) == 1 else ""
    if topic in _NOT_WORDS:
        topic = ""
    for index in reversed(range(len(before))):
        clause = before[index]
        if clause.action not in ("tell", "ask") or clause.topic not in ("", "free"):
            continue
        if topic and clause.action == "tell":
            said = replace(clause, topic=topic)
        else:
            told = clause.action == "tell"
            words = _SAY_ONLY.sub("", meaning.text.strip())
            said = replace(clause, topic="free" if told else "", text=words)
            # What it was to be about is in the words now.
            said = replace(said, theme=None) if told and said.recipient is not None else said
        return (*before[:index], said, *before[index + 1 :])
    return None


# 「就说饭好了」 after 「要我说什么？」
_SAY_ONLY = re.compile(
    r"^(?:嗯|哦|啊|呃)*[，,]?(?:你|您)?(?:就|请)?(?:(?:跟|对|和)(?:他|她)们?(?:就)?)?(?:说|讲|问|告诉(?:他|"
    r"她)们?)(?:是|一下|一声|(?:他|她)们?)?[，,：:]?(?=..)"
)

_ANY = (
    "any",
    "either",
    "whichever",
    "doesn't matter",
    "does not matter",
    "don't care",
    "随便",
    "都行",
    "都可以",
    "无所谓",
)


def _any_will_do(clause: Clause) -> Clause:
    if clause.theme is None or clause.theme.kind != "object":
        return clause
    return replace(clause, theme=replace(clause.theme, definite=False, demonstrative=False))


def _specifies(last: Clause, fragment: tuple[Referent, ...]) -> bool:
    """Tell "the red one" after "bring me a cup": it says which one, and takes nothing back."""
    if last.theme is None or last.theme.kind != "object" or not (last.theme.name or last.theme.category):
        return False
    one, *rest = fragment or (Referent("object", pronoun="it"),)
    if last.theme.category and not last.theme.name and one.kind == "object" and one.name and not one.unknown:
        # "Bring me something to drink." - "The iced tea."
        return not rest
    if not rest and one.kind == "object" and one.number is not None and _only_counts(one):
        # "an apple" - "two, please"
        return one.number > 0 and one.number != last.theme.number and last.action in ("bring", "take", "put")
    headless = one.kind == "object" and not (one.name or one.category or one.pronoun or one.unknown)
    # 「红的那个」: a colour and the one that is pointed at.
    if not headless or any(other.kind != "object" or other.pronoun != "it" for other in rest):
        return False
    return any(
        new and not old
        for new, old in (
            (one.colour, last.theme.colour),
            (one.size, last.theme.size),
            (one.at, last.theme.at),
        )
    )


def _only_counts(one: Referent) -> bool:
    return not (one.name or one.category or one.colour or one.size or one.superlative or one.at)


_INTERJECTION = re.compile(r"^(?:(?:oh|ah|um+|uh|ok|okay|well|hey|wait|哦|噢|啊|嗯|对了|哎)[,，!！ ]+)+")
_ADDING = ("and ", "also ", "what about", "how about", "then ", "还有", "那", "再")


_GONE_AND_LOOKED = 2


def _went_to_look(clauses: tuple[Clause, ...]) -> bool:
    """Tell going somewhere only to look or to count there."""
    if len(clauses) != _GONE_AND_LOOKED or clauses[0].action != "go":
        return False
    theme = clauses[1].theme
    at = clauses[1].where or (theme.at if theme is not None else None)
    return at is None or (clauses[0].goal is not None and at.ids == clauses[0].goal.ids)


def _singles_out(who: Referent) -> bool:
    """Tell a person who is described by what is seen of them, not by a name."""
    seen = who.posture or who.gesture or who.garment or who.garment_colour
    return who.kind == "person" and not who.name and not who.pronoun and bool(seen)


def _of_somebody_else(clauses: tuple[Clause, ...], who: Referent) -> tuple[Clause, ...]:
    """Put somebody else in the place of the last person; where that one was said to be stays, unless it was a name."""
    for index in reversed(range(len(clauses))):
        clause = clauses[index]
        for slot in ("recipient", "theme"):
            old: Referent | None = getattr(clause, slot)
            if old is None or old.kind != "person" or old.pronoun == "me":
                continue
            new = replace(who, at=who.at or (old.at if not old.name else None))
            changed: Clause = replace(clause, **{slot: new})  # type: ignore[arg-type]
            return (*clauses[:index], changed, *clauses[index + 1 :])
    return _fill(clauses, who, "")


def _adds(text: str) -> bool:
    """Tell "and the pear?" from a fragment that stands alone."""
    plain = _INTERJECTION.sub("", text.strip().lower())
    return plain.startswith(_ADDING) or plain.rstrip("?？").endswith("呢")


def _of_what_was_named(last: Clause, clause: Clause) -> Clause:
    """Complete "bring me the biggest" after "how many fruits are on the desk?": the biggest fruit there."""
    theme, known = clause.theme, last.theme
    if theme is None or known is None or theme.kind != "object" or known.kind != "object":
        return clause
    headless = not (theme.name or theme.category or theme.pronoun or theme.unknown)
    if (
        headless
        and theme.superlative
        and last.topic == "property"
        and theme.at is None
        and known.at is not None
    ):
        # "What is in the cabinet?" - "Bring me the biggest."
        return replace(clause, theme=replace(theme, at=known.at, name=known.name, category=known.category))
    if not headless or not theme.superlative or not (known.name or known.category):
        return clause
    where = theme.at or known.at or (last.where if last.topic or last.action == "count" else None)
    of_kind = replace(theme, name=known.name, category=known.category, ids=known.ids, at=where)
    return replace(clause, theme=of_kind)


def _corrected_by_clauses(before: tuple[Clause, ...], new: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Complete "no, put it on the sofa" by what the instruction before was about."""
    last = before[-1]
    first = new[0]
    if first.action == "go" and first.goal is not None and last.action == "guide" and not first.negated:
        # 「带查理去书房。」-「不对，去卧室。」
        return (replace(last, goal=first.goal), *new[1:])
    if (
        first.theme is not None
        and first.theme.kind == "object"
        and not first.theme.name
        and not first.theme.pronoun
        and last.theme is not None
    ):
        return (replace(first, theme=merge_referent(last.theme, first.theme)), *new[1:])
    if first.action == last.action == "wait" and len(new) == 1 and first.seconds is not None:
        # 「去厨房等一分钟。」-「改成三分钟吧。」
        return (*before[:-1], replace(last, seconds=first.seconds))
    carried = first.action in CARRYING and last.action in CARRYING and len(new) == len(before) == 1
    if carried and first.theme is not None and first.recipient is None and first.goal is None:
        # 「给简送瓶可乐。」-「不对，送牛奶。」: to the same person.
        return (replace(first, action=last.action, recipient=last.recipient, goal=last.goal),)
    return new


_UNTIL_THERE = re.compile(
    r"(?:就|跟|走|跟到|走|一直)*到([^，。]{1,8}?)(?:就|再)?(?:停下?|为止|停住|行|好)(?:了|吧)?[。！]*"
)
_TOO = re.compile(
    r"(?:把)?([^，。把给我你]{1,8}?)也(?:给我)?(?:放|拿|搁|收|送|摆|端|搬|挪)(?:进去|过去|回去|上去|去|到那儿|那儿|那里|一起)(?:吧|啊)?[。！]*"
)
_MOVED = re.compile(r"(?:挪|移|搬|转移|换)(?:到|去|回|进)")
_LENGTH = re.compile(r"太[久长短]|不够|有点[久长短]|too (?:long|short)")
_ANOTHER_TIME = re.compile(
    r"(?:还是|改成|就|算了，)*(?:等)?[零一二两三四五六七八九十半\d]+(?:个)?(?:半)?(?:秒钟?|分钟?|小时|钟头|刻钟)半?(?:吧|就行|就好|就够了?)[。！]*"
)
_FROM = re.compile(r"(?:no,? |not |actually,? )*(?:from|out of|off)\b|(?:不|不对|不是)?[，,]?从")
_AIMLESS = frozenset(("follow", "guide", "take", "greet"))
_AIMING = re.compile(r"(?:and |then )*(?:to|into|onto|towards|over to|up to) |给|到|去|往")


def _completes(last: Clause, meaning: Meaning) -> bool:
    """Tell "to the kitchen" after "follow Jane": the part that was left out, and nothing that takes another place."""
    if len(meaning.fragment) != 1 or meaning.clauses or meaning.leftover:
        return False
    kind = meaning.fragment[0].kind
    aims = _AIMING.match(meaning.text.strip().lower()) is not None
    free = last.goal is None and (last.recipient is None or last.recipient.pronoun == "me")
    return aims and free and last.action in _AIMLESS and kind in ("place", "person")


def followed_by(clauses: tuple[Clause, ...], more: Meaning) -> tuple[Clause, ...]:
    """Return the clauses and what else was said with the answer: orders, or another thing for the same order."""
    if len(more.clauses) == 1:
        last, new = clauses[-1], more.clauses[0]
        if new.action == "go" and new.goal is not None and last.action in _AIMLESS and last.goal is None:
            # 「带她去。」-「哪个人？」-「简，去浴室。」
            return (*clauses[:-1], replace(last, goal=new.goal))
        if last.action == new.action == "wait" and last.seconds is None:
            return (*clauses[:-1], replace(last, seconds=new.seconds))
    if more.clauses:
        return (*clauses, *more.clauses)
    for referent in more.fragment[:1]:
        slot = "where" if clauses[-1].topic or clauses[-1].action == "count" else "goal"
        last = clauses[-1]
        if referent.kind == "object" and last.theme is not None and referent.name:
            return (*clauses, replace(last, theme=referent))
        return (*clauses, *_fill((last,), referent, slot))
    return clauses


def _fill(clauses: tuple[Clause, ...], referent: Referent, slot: str) -> tuple[Clause, ...]:
    """Put the referent where it belongs: into the clause that lacks it, or in place of its like."""
    if referent.kind == "place":
        slot = slot if slot in ("goal", "where", "place", "source") else "goal"
    for index in reversed(range(len(clauses))):
        clause = clauses[index]
        filled = _filled(clause, referent, slot)
        if filled is not None:
            return (*clauses[:index], filled, *clauses[index + 1 :])
    return clauses


def _one_of_several(clause: Clause, place: Referent) -> Clause | None:
    """Return the clause with the one of several places that is meant: "what is on the table?" - "the desk"."""

    def meant(old: Referent | None) -> bool:
        return old is not None and len(old.ids) > 1 and bool(place.ids) and set(place.ids) < set(old.ids)

    if clause.theme is not None and meant(clause.theme.at):
        return replace(clause, theme=replace(clause.theme, at=place))
    for name in ("source", "where"):
        if meant(getattr(clause, name)):
            return replace(clause, **{name: place})  # type: ignore[arg-type]
    return None


def _filled(clause: Clause, referent: Referent, slot: str) -> Clause | None:
    if referent.kind == "object":
        if clause.theme is None:
            return replace(clause, theme=referent)
        if clause.theme.kind == "object":
            return replace(clause, theme=merge_referent(clause.theme, referent))
        return None
    if referent.kind == "person" and slot == "goal" and clause.action in ("guide", "follow"):
        # "Guide Jane." - "Where to?" - "To Adel."
        return replace(clause, goal=referent)
    if referent.kind == "person":
        for name in ("recipient", "theme"):
            old: Referent | None = getattr(clause, name)
            if old is not None and old.kind == "person" and (old.pronoun != "me" or slot == "person"):
                if referent.pronoun == "me" or (old.pronoun and not referent.pronoun):
                    # "to Robin" - "no, to me"; "guide her" - "the woman who is waving"
                    return replace(clause, **{name: referent})  # type: ignore[arg-type]
                return replace(clause, **{name: merge_referent(old, referent)})  # type: ignore[arg-type]
        if clause.action in ("follow", "guide", "meet", "find") or (
            clause.action in ("count", "describe") and clause.theme is None
        ):
            return replace(clause, theme=referent)
        nobody = clause.goal is not None and clause.goal.unknown
        return replace(clause, recipient=referent, goal=None if nobody else clause.goal)
    if slot == "where":
        if clause.theme is not None and clause.theme.at is not None:
            return replace(clause, theme=replace(clause.theme, at=referent))
        return replace(clause, where=referent)
    if slot == "source":
        theme = clause.theme
        if theme is not None and theme.at is not None:
            return replace(clause, theme=replace(theme, at=referent))
        return replace(clause, source=referent)
    narrowed = _one_of_several(clause, referent)
    if narrowed is not None:
        return narrowed
    several = clause.goal is not None and len(clause.goal.ids) > 1
    if several and clause.goal is not None and not set(referent.ids) & set(clause.goal.ids):
        # "On the table." - "Which one?" - "In the kitchen."
        return replace(clause, goal=replace(clause.goal, at=referent))
    if clause.goal is not None or clause.action in ("go", "bring", "put", "guide", "follow", "take"):
        return replace(clause, goal=referent)
    return replace(clause, where=referent)
