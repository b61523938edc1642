"""Forms of English verbs, and what a misspelt word is most likely meant for, by the names that the vocabulary knows."""

from __future__ import annotations

from zulong.agent.language.lexicon import Sense, Vocabulary, edit_distance

PAST = {
    "found": "find",
    "met": "meet",
    "got": "get",
    "seen": "see",
    "saw": "see",
    "taken": "take",
    "brought": "bring",
    "given": "give",
}
"""Past forms that no ending shows."""


def stems(word: str) -> tuple[str, ...]:
    """Return what "fetching", "takes" and "brought" may be forms of, none where the word is no such form."""
    if word in PAST:
        return (PAST[word],)
    if word.endswith("ing") and len(word) > 4:
        stem = word[:-3]
        return (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)
    if word.endswith("s") and len(word) > 3:
        return (word[:-1], word[:-2]) if word.endswith("es") else (word[:-1],)
    return ()


def inflected_verb(word: str, vocabulary: Vocabulary) -> tuple[Sense, ...]:
    """Return the senses of the verb that a word is a form of, none where it is no form of one."""
    for stem in stems(word):
        verbs = tuple(sense for sense in vocabulary.english.get((stem,), ()) if sense.kind == "verb")
        if verbs:
            return verbs
    return ()


def in_a_name(word: str, after: str, vocabulary: Vocabulary) -> str | None:
    """Return the first word of a name of two whose second word comes next, None when there is no one: "bedide table".

    Args:
        word: the misspelt word.
        after: the word after it.
        vocabulary: knows the names.
    """
    meant = {
        phrase[0]
        for phrase, senses in vocabulary.english.items()
        if len(phrase) == 2
        and phrase[1] == after
        and phrase[0][0] == word[0]
        and any(sense.ids for sense in senses)
        and edit_distance(word, phrase[0], 1) <= 1
    }
    return meant.pop() if len(meant) == 1 else None


def closest_word(word: str, vocabulary: Vocabulary) -> str | None:
    """Return the one word of the vocabulary that this is most likely a misspelling of, None if there is no one."""
    limit = 1 if len(word) < 8 else 2
    best: list[str] = []
    distance = limit + 1
    for candidate in vocabulary.correctable:
        swapped = candidate[:2] == word[1::-1]
        if abs(len(candidate) - len(word)) > limit or not (candidate[0] == word[0] or swapped):
            # Hardly anybody mistypes the first letter; "rice" is no slip for "dice".
            continue
        found = edit_distance(word, candidate, limit)
        if found < distance:
            best, distance = [candidate], found
        elif found == distance <= limit:
            best.append(candidate)
    swapped_only = [candidate for candidate in best if sorted(candidate) == sorted(word)]
    if swapped_only:
        # All its letters are there: "plaet" is the plate and no plant.
        best = swapped_only
    if len({_sense_of(candidate, vocabulary) for candidate in best}) > 1:
        best = _rather_meant(best, vocabulary)
    return best[0] if len({_sense_of(candidate, vocabulary) for candidate in best}) == 1 else None


def _rather_meant(words: list[str], vocabulary: Vocabulary) -> list[str]:
    """Return those of several words that a misspelling may be of which are on the map, or else are no verbs.

    "kitthen" is the kitchen and no kitten; a corrected verb could change what is done.
    """
    on_map = [word for word in words if any(sense.ids for sense in vocabulary.english.get((word,), ()))]
    return on_map or [word for word in words if not _is_verb_word(word, vocabulary)]


def _is_verb_word(word: str, vocabulary: Vocabulary) -> bool:
    said = vocabulary.english.get((word,), ())
    return any(sense.kind == "verb" for sense in said) or (
        not said and bool(inflected_verb(word, vocabulary))
    )


def _sense_of(word: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return what a word first means, its stem when it means nothing by itself."""
    for sense in vocabulary.english.get((word,), ()):
        return sense.kind, sense.value
    return "", word.removesuffix("s").removesuffix("e")
