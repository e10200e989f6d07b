"""Nodes: the classes that trees are made of."""

from __future__ import annotations

import weakref

import pytest

from gdl.nodes import changed, names_of, node, parts_of


@node
class Shape:
    """Has a place."""

    place: int


@node
class Box(Shape):
    """Has sides."""

    sides: tuple[int, ...]
    name: str = "box"
    lid: Shape | None = None


def test_fields_come_in_order_those_of_the_base_first_and_may_be_left_out() -> None:
    assert names_of(Box) == ("place", "sides", "name", "lid")
    assert parts_of(Box(1, (2, 3))) == [("place", 1), ("sides", (2, 3)), ("name", "box"), ("lid", None)]
    assert parts_of(Box(place=1, sides=(), name="x")) == [("place", 1), ("sides", ()), ("name", "x"), ("lid", None)]


def test_a_base_class_has_nodes_of_its_own() -> None:
    Box(1, ())
    assert parts_of(Shape(4)) == [("place", 4)]
    assert isinstance(Box(1, ()), Shape)


@pytest.mark.parametrize("arguments", [(), (1,), (1, (), "box", None, 5)])
def test_too_few_or_too_many_fields_are_refused(arguments: tuple[object, ...]) -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="__init__"):
            Box(*arguments)  # type: ignore[arg-type]


def test_nodes_are_frozen_and_have_no_room_for_more() -> None:
    box = Box(1, ())
    for name in ("place", "name", "colour"):
        with pytest.raises(AttributeError, match=f"a Box is frozen: its {name} stays"):
            setattr(box, name, 2)
    with pytest.raises(AttributeError, match="frozen"):
        del box.place
    assert not hasattr(box, "__dict__")


def test_nodes_compare_by_identity_and_can_be_keys_even_weak_ones() -> None:
    first, second = Box(1, ()), Box(1, ())
    assert first != second
    assert {first: 1, second: 2}[second] == 2
    assert weakref.ref(first)() is first


def test_a_changed_copy_leaves_the_node_alone() -> None:
    box = Box(1, (2,))
    assert parts_of(changed(box, sides=(3,), lid=box)) == [("place", 1), ("sides", (3,)), ("name", "box"), ("lid", box)]
    assert box.sides == (2,)


def test_a_node_is_matched_by_its_fields() -> None:
    match Box(1, (2,)):
        case Box(place, sides, name=name):
            assert (place, sides, name) == (1, (2,), "box")
        case _:
            pytest.fail("no match")


def test_a_node_shows_its_class_and_short_fields() -> None:
    assert repr(Box(1, (2,))) == "Box(place=1, name='box')"
