"""How a correction changes what was said before."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.meaning import CARRYING, FOUND_OUT, Clause, Referent


def merge_referent(old: Referent, new: Referent) -> Referent:
    """Return ``old`` as corrected by ``new``: what ``new`` says wins, what it leaves open stays."""
    if old.kind != new.kind:
        return new
    chosen = narrowed(old, new)
    if chosen is not None:
        return chosen
    if new.name or new.category or new.ids:
        keep_at = new.at or old.at
        return replace(new, at=keep_at)
    return replace(
        old,
        ids=old.ids,
        colour=new.colour or ("" if new.excluded else old.colour),
        size=new.size or old.size,
        superlative=new.superlative or old.superlative,
        number=new.number or old.number,
        posture=new.posture or old.posture,
        gesture=new.gesture or old.gesture,
        garment=new.garment or old.garment,
        garment_colour=new.garment_colour or old.garment_colour,
        gender=new.gender or old.gender,
        at=new.at or old.at,
        side=new.side or old.side,
        text=new.text,
    )


def narrowed(old: Referent, new: Referent) -> Referent | None:
    """Return the one of several things that a word of its name picks: "the chocolate one" of two kinds of jello."""
    if old.kind != "object" or len(old.ids) < 2 or not new.name or new.name == old.name:
        return None
    fitting = [i for i in old.ids if set(new.name.split()) <= set(i.split("_"))]
    if len(fitting) != 1 or fitting[0] in new.ids:
        return None
    return replace(
        old, ids=(fitting[0],), name=fitting[0].replace("_", " "), text=new.text, at=new.at or old.at
    )


def replace_referent(clause: Clause, new: Referent) -> Clause:
    """Return the clause with the referent of the same kind replaced or refined by ``new``."""
    slots = {
        "object": ("theme",),
        "person": ("recipient", "theme"),
        "place": ("goal", "where", "source"),
    }[new.kind]
    for slot in slots:
        old: Referent | None = getattr(clause, slot)
        if old is not None and old.kind == new.kind:
            return replace(clause, **{slot: merge_referent(old, new)})  # type: ignore[arg-type]
    if new.kind == "object" and clause.theme is None:
        return replace(clause, theme=new)
    return replace(clause, **{slots[0]: new})  # type: ignore[arg-type]


def without_idle_moves(clauses: list[Clause]) -> list[Clause]:
    """Drop the "go" of "go and see" when it names no place and something else is to be done."""
    return [
        clause
        for number, clause in enumerate(clauses)
        if clause.action != "go"
        or clause.goal is not None
        or (
            clause.condition is not None
            and clauses[number + 1 : number + 2]
            and clauses[number + 1].condition != clause.condition
        )
        or clause.where is not None
        or clause.theme is not None
        or clause.source is not None
        or number == len(clauses) - 1
    ]


def without_bare_reports(clauses: list[Clause]) -> list[Clause]:
    """Join "..., then come back and tell me" with the question whose answer is to be told.

    Whoever is to be told becomes the listener of the question; the way back is part of the answer.
    """
    kept: list[Clause] = []
    for clause in clauses:
        before = kept[-1] if kept else None
        sought = kept[-2] if before is not None and _is_back(before) and len(kept) > 1 else before
        if (
            sought is not None
            and sought.action == "find"
            and clause.topic == "where"
            and clause.theme is not None
            and clause.theme.pronoun in ("it", "him", "her", "them")
        ):
            # "find Jane and (come back and) tell me where she is"
            kept.append(replace(clause, topic="", theme=None, condition=None))
            continue
        answers = (
            before is not None and before.action == clause.action == "answer" and clause.recipient is None
        )
        if answers and (clause.theme is None or clause.theme.pronoun == "it"):
            # "Robin has a question, please answer it"
            continue
        if before is not None and before.asked and clause.action in ("find", "meet") and _empty(clause):
            # "Is Simone still in bed? Please check."
            continue
        if (
            before is not None
            and before.topic == "where"
            and before.theme is not None
            and before.theme.kind == "place"
            and clause.goal is not None
            and clause.goal.pronoun == "there"
        ):
            # "Where is the office? Can you take me there?"
            kept[-1] = replace(clause, goal=before.theme)
            continue
        answer = clause.theme is None or (
            clause.theme.pronoun == "it"
            and before is not None
            and before.topic == "attribute"
            and before.action == "tell"
        )
        bare = clause.action == "tell" and answer and not (clause.topic or clause.text or clause.negated)
        listens = clause.recipient is None or not clause.recipient.number
        if not (bare and listens and clause.condition is None):
            kept.append(clause)
            continue
        returned = len(kept) > 1 and kept[-1].action == "go" and _is_back(kept[-1])
        position = len(kept) - (2 if returned else 1)
        asked = kept[position] if position >= 0 else None
        if asked is None or not (asked.topic in FOUND_OUT or asked.action in ("count", "describe")):
            there = position > 0 and kept[position - 1].action == "go" and not _is_back(kept[position - 1])
            placed = asked is not None and (_placed(asked) or there)
            if asked is None or asked.action != "find" or asked.theme is None or not placed:
                kept.append(clause)
                continue
            # "look for Jane in the office and tell me": whether she is there.
            asked = replace(asked, action="tell", topic="exists")
        given = asked.recipient
        if asked.action == "ask" and asked.topic == "attribute" and asked.theme is None and given is not None:
            # "ask the person their name and tell me"
            kept[position:] = [
                replace(asked, action="tell", theme=given, recipient=clause.recipient, asked=False)
            ]
            continue
        if given is None or given.pronoun == "me":
            asked = replace(asked, recipient=clause.recipient or given, asked=False)
        if returned and asked.topic == "state" and asked.goal is None:
            # "see whether the door is open and come back": wherever it is, the answer is brought.
            asked = replace(asked, goal=kept[-1].goal)
        kept[position:] = [asked]
    return kept


def with_trips(clauses: list[Clause]) -> list[Clause]:
    """Join "pick up the cups and put them on the shelf" into putting the cups on the shelf, one after the other."""
    joined: list[Clause] = []
    for clause in clauses:
        before = joined[-1] if joined else None
        if (
            before is not None
            and _wished(before)
            and clause.action in ("bring", "take")
            and not clause.negated
        ):
            theme = clause.theme
            again = (
                theme is not None
                and before.theme is not None
                and theme.name
                and theme.name == before.theme.name
            )
            if theme is None or theme.pronoun in ("it", "them") or again:
                # "I could use a coffee, could you get me one?" is one errand.
                joined[-1] = replace(
                    clause, theme=before.theme, recipient=clause.recipient or before.recipient
                )
                continue
        pronoun = (
            clause.theme is not None and clause.theme.pronoun in ("it", "them") and clause.theme.text != "it"
        )
        taken: list[Clause] = []
        while pronoun and clause.action in ("bring", "put") and joined and _taken(joined[-1], clause):
            taken.insert(0, joined.pop())
        several = len(taken) > 1 or any(
            t.theme is not None and (t.theme.number not in (None, 1) or t.theme.plural) for t in taken
        )
        if not several:
            joined.extend([*taken, clause])
            continue
        joined.extend(
            replace(clause, theme=t.theme, source=clause.source or t.source, where=clause.where or t.where)
            for t in taken
        )
    return joined


def with_places_asked_about(clauses: list[Clause]) -> list[Clause]:
    """Take a thing from where it was asked about: "see if the milk is in the fridge and bring it to me"."""
    placed: list[Clause] = []
    for clause in clauses:
        before = placed[-1] if placed else None
        asked = (
            before.theme
            if before is not None and before.action == "tell" and before.topic == "exists"
            else None
        )
        carried = clause.action in CARRYING and clause.theme is not None and clause.theme.pronoun == "it"
        if (
            asked is not None
            and carried
            and asked.at is not None
            and clause.source is None
            and not clause.negated
        ):
            clause = replace(clause, source=asked.at)
        placed.append(clause)
    return placed


def _wished(clause: Clause) -> bool:
    return clause.inferred and clause.verb == "want" and clause.theme is not None and not clause.theme.pronoun


def _taken(clause: Clause, after: Clause) -> bool:
    bare = clause.action == "take" and clause.goal is None and not clause.negated
    mine = clause.recipient is None or clause.recipient.pronoun == "me"
    return (
        bare
        and mine
        and clause.theme is not None
        and not clause.theme.pronoun
        and clause.condition == after.condition
    )


def _empty(clause: Clause) -> bool:
    return not (any(clause.referents()) or clause.topic or clause.text or clause.negated)


def _is_back(clause: Clause) -> bool:
    return clause.goal is not None and clause.goal.pronoun in ("back", "me", "here")


def _placed(clause: Clause) -> bool:
    return clause.where is not None or (clause.theme is not None and clause.theme.at is not None)


def _joined(fragment: list[Referent]) -> list[Referent]:
    """Join "cup. red." into one description."""
    joined: list[Referent] = []
    for referent in fragment:
        if joined and referent.kind == "object" == joined[-1].kind and referent.colour and not referent.name:
            joined[-1] = merge_referent(joined[-1], referent)
        else:
            joined.append(referent)
    return joined


def with_antecedents(clauses: list[Clause], fragment: list[Referent]) -> tuple[list[Clause], list[Referent]]:
    """Put what was named before the clause in place of its pronoun ("there is a cup on the desk, bring it").

    Returns the clauses and the fragments that are left.
    """
    left = _joined(fragment)
    for index, clause in enumerate(clauses):
        changes: dict[str, Referent] = {}
        for slot in ("theme", "recipient"):
            old: Referent | None = getattr(clause, slot)
            if old is None or old.pronoun not in ("it", "them", "him", "her"):
                continue
            named = next((r for r in left if r.kind == old.kind and not r.pronoun), None)
            if (
                named is None
                and old.pronoun == "them"
                and slot == "theme"
                and clause.action in ("bring", "put", "take")
            ):
                named = next((r for r in left if r.kind == "object" and not r.pronoun), None)
            if named is not None:
                changes[slot] = replace(named, at=named.at or old.at)
                if old.number is not None and old.number > 1:
                    changes[slot] = replace(changes[slot], number=old.number, definite=False)
                if old.text == "one":
                    changes[slot] = replace(changes[slot], plural=False, definite=False, number=None)
                left.remove(named)
        if changes:
            clauses[index] = replace(clause, **changes)  # type: ignore[arg-type]
    for index in range(1, len(clauses)):
        # "don't put the apple on the sofa, put it on the desk": what was not to be done still names the thing.
        clause, denied = clauses[index], clauses[index - 1]
        lacks = clause.theme is None or clause.theme.pronoun == "it"
        named = denied.theme
        carried = denied.negated and clause.action in ("bring", "put", "take")
        coloured = clause.theme is not None and clause.theme.colour and not clause.theme.name
        if carried and coloured and named is not None and named.kind == "object" and clause.theme is not None:
            clauses[index] = replace(clause, theme=replace(clause.theme, name=named.name, ids=named.ids))
        known = named is not None and named.kind == "object" and not named.pronoun
        if carried and lacks and denied.action != "take" and known:
            clauses[index] = replace(clause, theme=named)
    for index, clause in enumerate(clauses):
        person = next((r for r in left if r.kind == "person" and not r.pronoun), None)
        if (
            person is not None
            and clause.action == "answer"
            and clause.recipient is None
            and clause.theme is None
        ):
            clauses[index] = replace(clause, recipient=person)
            left.remove(person)
    if clauses and clauses[-1].theme is None and clauses[-1].action in ("bring", "put", "take", "find"):
        named = next((r for r in left if r.kind == "object" and not r.pronoun), None)
        if named is not None:
            clauses[-1] = replace(clauses[-1], theme=named)
            left.remove(named)
    return clauses, left


def with_candidates(clauses: list[Clause], candidates: list[Referent]) -> list[Clause]:
    """Put what a statement beside the orders named in place of the first pronouns that can mean it.

    Pronouns after a clause that names a thing or a person itself mean that one.
    """
    found = {
        kind: next((c for c in reversed(candidates) if c.kind == kind), None)
        for kind in ("object", "person", "place")
    }
    resolved: list[Clause] = []
    for clause in clauses:
        changes: dict[str, Referent | None] = {}
        thing = found["object"]
        if (
            clause.theme is None
            and thing is not None
            and clause.action in (*CARRYING, "find")
            and not clause.topic
        ):
            # "the sponge isn't on the shelf, look in the sink"
            changes["theme"] = replace(thing, definite=True)
        asker = found["person"]
        about = clause.theme is None or clause.theme.pronoun == "it"
        if clause.action == "answer" and clause.recipient is None and about and asker is not None:
            # "Robin has a question in the living room, go and answer it"
            changes.update(theme=None, recipient=asker)
        for slot in ("theme", "recipient", "goal", "where"):
            old: Referent | None = getattr(clause, slot)
            if old is None:
                continue
            kind = (
                "object"
                if old.pronoun == "them" and slot == "theme" and clause.action in CARRYING
                else old.kind
            )
            meant = found.get(kind)
            if old.pronoun in ("it", "them", "him", "her", "there") and meant is not None:
                kept = replace(meant, at=meant.at or old.at, definite=True)
                if old.text == "one":
                    kept = replace(meant, at=old.at, plural=False, definite=False, number=None)
                changes[slot] = kept
            if not old.pronoun or meant is not None:
                found[kind] = None
        resolved.append(replace(clause, **changes) if changes else clause)  # type: ignore[arg-type]
    return resolved


def locate(clause: Clause, stated: Referent) -> Clause:
    """Add what a later sentence says about a person or a thing ("she's at the stove")."""
    changes: dict[str, Referent] = {}
    for slot in ("theme", "recipient"):
        other: Referent | None = getattr(clause, slot)
        if other is None or other.pronoun == "me" or other.at is not None:
            continue
        if other.kind == stated.kind and (
            stated.pronoun or (other.name, other.category) == (stated.name, stated.category)
        ):
            changes[slot] = replace(
                other,
                at=stated.at,
                posture=other.posture or stated.posture,
                gesture=other.gesture or stated.gesture,
            )
    return replace(clause, **changes) if changes else clause  # type: ignore[arg-type]
