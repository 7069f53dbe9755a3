"""What the tests of the fake Nextcloud have in common."""
from __future__ import annotations

import unittest

from nextcloud import Answer, Nextcloud


class Case(unittest.TestCase):
    """Tests that share one server, each in a directory of its own."""

    cloud: Nextcloud

    @classmethod
    def setUpClass(cls) -> None:
        cls.cloud = Nextcloud()
        cls.addClassCleanup(cls.cloud.close)

    def setUp(self) -> None:
        self.here = self.id().rpartition(".")[2]
        self.assertEqual(self.cloud.file("MKCOL", self.here).status, 201)
        self.addCleanup(self.cloud.control, "DELETE", "quirks")

    def path(self, name: str) -> str:
        return f"{self.here}/{name}"

    def put(self, name: str, text: str = "contents", **headers: str) -> Answer:
        return self.cloud.file("PUT", self.path(name), text.encode(), **headers)

    def text(self, name: str) -> str:
        answer = self.cloud.file("GET", self.path(name))
        self.assertEqual(answer.status, 200)
        return answer.text
