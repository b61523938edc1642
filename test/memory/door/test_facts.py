import pytest

from zulong.memory.door.facts import facts_of


def clash(one, other, **names):
    return any(a.contradicts(b) for a in facts_of(one, **names) for b in facts_of(other, **names))


@pytest.mark.feature("MG-15")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The red cup is in the kitchen.", "The red cup is in the bedroom."),
        ("The door is open", "The door is closed now"),
        ("Anna's favourite tea is chamomile", "Anna's favourite tea is peppermint"),
        ("My name is Peter", "My name is Paul"),
        ("Anna lives in Berlin", "Anna lives in Hamburg"),
        ("The capital of the team is Rome", "The capital of the team is Paris"),
        ("The lamp is on", "The lamp is off"),
        ("The box is red", "The box is blue"),
        ("杯子在厨房里", "杯子在卧室里"),
        ("门开着", "门关着"),
        ("小明的生日是五月四日", "小明的生日是五月五日"),
        ("奶奶住在上海", "奶奶住在北京"),
        ("盒子是红色的", "盒子是蓝色的"),
    ],
)
def test_statements_with_another_value_contradict(one, other):
    assert clash(one, other)
    assert clash(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The red cup is in the kitchen.", "The blue cup is in the bedroom."),
        ("Anna likes tea", "Anna likes coffee"),
        ("The cup is in the kitchen", "The cup is on the kitchen table"),
        ("The cup is in the kitchen", "The cup is red"),
        ("Is the door open?", "The door is closed"),
        ("It is in the kitchen", "It is in the bedroom"),
        ("The door is open", "The doors opened"),
        ("杯子在厨房里", "盘子在卧室里"),
        ("杯子在哪里？", "杯子在卧室里"),
        ("小明喜欢苹果", "小明喜欢香蕉"),
    ],
)
def test_statements_about_other_things_do_not(one, other):
    assert not clash(one, other)


def test_meta_names_a_fact_outright_and_may_allow_many_values():
    one, other = ({"subject": "cup", "predicate": "made of", "object": o} for o in ("clay", "steel"))
    assert facts_of("a", one)[0].contradicts(facts_of("b", other)[0])
    assert facts_of("a", {**one, "many": True}) == []


def test_i_is_whoever_speaks():
    anna, ben = facts_of("My name is X", person="anna"), facts_of("My name is Y", person="ben")
    assert not anna[0].contradicts(ben[0])
