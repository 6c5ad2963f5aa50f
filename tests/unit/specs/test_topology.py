"""Names by the dozen."""

from __future__ import annotations

import pytest

from shardwright.specs.yaml.topology import TopologyFault, expand


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("shop", ("shop",)),
        ("shop_{0..2}", ("shop_0", "shop_1", "shop_2")),
        ("{08..11}", ("08", "09", "10", "11")),
        ("{8..11}", ("8", "9", "10", "11")),
        ("{000..001}x", ("000x", "001x")),
        ("a{0..1}b{0..1}", ("a0b0", "a0b1", "a1b0", "a1b1")),
        ("{7..7}", ("7",)),
        (["a_{0..1}", "b"], ("a_0", "a_1", "b")),
        ("größe-$1", ("größe-$1",)),
        ("o" * 64, ("o" * 64,)),
    ],
)
def test_expansion(value: str | list[str], names: tuple[str, ...]) -> None:
    assert expand(value) == names


def test_the_largest_topology() -> None:
    names = expand("{00000..65535}")
    assert (len(names), names[0], names[-1]) == (65_536, "00000", "65535")


def test_the_empty_suffix() -> None:
    assert expand("", may_be_empty=True) == ("",)
    assert expand(["", "_{0..1}"], may_be_empty=True) == ("", "_0", "_1")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("a_{0-3}", "SW1201"),
        ("a_{0..}", "SW1201"),
        ("a_{..3}", "SW1201"),
        ("a_{a..c}", "SW1201"),
        ("a_{0..3", "SW1201"),
        ("a_0..3}", "SW1201"),
        ("a_{{0..3}}", "SW1201"),
        ("${suffix}", "SW1201"),
        ("a_{-1..3}", "SW1201"),
        ("a_{00..3}", "SW1201"),
        ("a_{0..03}", "SW1201"),
        ("a_{00..100}", "SW1201"),
        ("a_{٠..٣}", "SW1201"),
        ("a_{3..0}", "SW1202"),
        ("a_{0..65536}", "SW1203"),
        ("a_{0..999999999}", "SW1203"),
        ("a_{0..255}_{0..256}", "SW1203"),
        (["a_{0..65535}", "b"], "SW1203"),
        ("a_{0..9999999999}", "SW1201"),
        ("", "SW1204"),
        ("a b", "SW1204"),
        ("a`b", "SW1204"),
        ("a'b", "SW1204"),
        ("a.b", "SW1204"),
        ("a/b", "SW1204"),
        ("a;b", "SW1204"),
        ("a\nb", "SW1204"),
        ("a\0", "SW1204"),
        ("a\u202eb", "SW1204"),
        (["a", "a"], "SW1205"),
        (["a_{0..3}", "a_2"], "SW1205"),
        ("{1..11}{1..11}", "SW1205"),
        ("o" * 65, "SW1206"),
        ("o" * 60 + "_{0..1000}", "SW1206"),
    ],
)
def test_refusals(value: str | list[str], code: str) -> None:
    with pytest.raises(TopologyFault) as caught:
        expand(value)
    assert caught.value.code == code


def test_a_fault_names_the_item_of_a_list() -> None:
    with pytest.raises(TopologyFault) as caught:
        expand(["a", "b_{3..0}"])
    assert caught.value.item == 1
