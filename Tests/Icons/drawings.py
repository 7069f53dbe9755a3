"""What holds for every drawing, be it of an emblem or of the tray."""
import pathlib
import unittest
import xml.etree.ElementTree

SPACE = "{http://www.w3.org/2000/svg}"
FOREIGN = {"image", "script", "style", "text", "foreignObject"}


def expect_self_contained(test: unittest.TestCase, path: pathlib.Path) -> None:
    """A square of 64 units with a title, and nothing in it that a renderer would have to fetch, run or find a font for."""
    root = xml.etree.ElementTree.parse(path).getroot()
    test.assertEqual(root.get("viewBox"), "0 0 64 64")
    test.assertTrue(root.findtext(f"{SPACE}title"))
    tags = {element.tag.removeprefix(SPACE) for element in root.iter()}
    test.assertFalse(tags & FOREIGN, tags)
