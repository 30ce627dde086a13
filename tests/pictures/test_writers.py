"""A scene as HTML, at any width, and as a sign."""

import re
from xml.etree import ElementTree as ET

import pytest

from synth.pictures.page import HATCHES, ROOM, STYLES, page_scene, scene_html, shapes_svg, sign_svg
from synth.pictures.run_picture import draw_run
from synth.pictures.scene import Box, Label, RowName, Scene
from synth.text.wording import Bold
from tests.pictures.scenes import MODES, planned, ran

HOSTILE = '<img src=x onerror="alert(1)">&"'


@pytest.mark.parametrize("mode", MODES)
def test_each_shape_is_drawn_and_only_a_page_has_handles(mode):
    scene = draw_run(ran(mode, 700))
    shapes, figure = shapes_svg(scene), scene_html(scene)
    assert shapes in figure
    assert 'class="handle ' not in figure
    assert 'class="handle window"' in page_scene(scene).html
    for document in (figure.replace("<br>", "\n"), sign_svg(scene, "", 100)):
        ET.fromstring(document)
    assert shapes.count("<rect") == sum(isinstance(shape, Box) for shape in scene.shapes)


def test_across_all_is_in_per_cent():
    shapes = shapes_svg(draw_run(planned("compact", 700)))
    rects = re.findall(r'<rect [^>]*?x="([^"]+)"[^>]*?width="([^"]+)"', shapes)
    assert rects
    assert all(value.endswith("%") for pair in rects for value in pair)


def test_each_class_of_a_picture_has_a_rule_and_each_hatch_a_pattern():
    scenes = [draw_run(run(mode, 500)) for mode in MODES for run in (planned, ran)]
    classes = {
        name
        for scene in scenes
        for kinds in re.findall(r'class="([^"]+)"', page_scene(scene).html)
        for name in kinds.split()
    }
    plain = {"done", "out", "scene", "drawing", "middle", "window"}
    unruled = {name for name in classes - plain if f".{name}" not in STYLES + ROOM}
    assert not {name for name in unruled if not name.startswith("on-")}
    patterns = {*re.findall(r'id="(hatch-\w+)"', HATCHES)}
    assert {*re.findall(r"url\(#(hatch-\w+)\)", STYLES)} == patterns


def test_text_is_never_markup():
    scene = Scene(HOSTILE, 40)
    scene.shapes.append(Box(0, 50, 0, 20, "context", says=HOSTILE, text=scene.text(HOSTILE)))
    scene.labels.append(Label(0, 100, 10, [[Bold(HOSTILE), HOSTILE]]))
    scene.rows.append(RowName(10, HOSTILE, HOSTILE))
    assert "<img" not in page_scene(scene).html
