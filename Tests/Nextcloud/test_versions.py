"""Versions of files that are written again, as the fake Nextcloud keeps, lists and restores them."""
from __future__ import annotations

import unittest

from case import Case
from nextcloud import USER, Answer

VERSIONS = f"/remote.php/dav/versions/{USER}"
NAMES = ("d:getlastmodified", "d:getcontentlength", "nc:version-author")


class VersionTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.cloud.quirks(versions=True)
        for number, text in enumerate(("one", "second", "third one"), 1):
            self.put("a", text, X_OC_Mtime=str(1_000_000 * number))
        self.number = str(self.cloud.property(self.path("a"), "oc:fileid"))

    def listed(self) -> dict[str, dict[str, str]]:
        return self.cloud.listing(f"versions/{self.number}", "1", *NAMES, base=VERSIONS)

    def version(self, method: str, name: str, **headers: str) -> Answer:
        return self.cloud.ask(method, f"{VERSIONS}/versions/{self.number}/{name}", None, headers)

    def test_what_is_replaced_is_kept_and_listed_with_the_current_version(self) -> None:
        capabilities = self.cloud.ocs("GET", "cloud/capabilities").json["ocs"]["data"]["capabilities"]
        self.assertTrue(capabilities["files"]["versioning"])
        self.cloud.quirks(version_authors={"2000000": "ana"})
        found = self.listed()
        place = f"versions/{self.number}"
        self.assertEqual(set(found), {place, *(f"{place}/{moment}000000" for moment in (1, 2, 3))})
        self.assertEqual(found[f"{place}/2000000"], {
            "getlastmodified": "Sat, 24 Jan 1970 03:33:20 GMT", "getcontentlength": "6", "version-author": "ana"})
        self.assertEqual(found[f"{place}/1000000"]["version-author"], USER)
        self.assertEqual(self.version("GET", "1000000").body, b"one")
        self.cloud.quirks(past_versions=True)
        self.assertEqual(set(self.listed()), {place, *(f"{place}/{moment}000000" for moment in (1, 2))})
        for name in ("3000000", "4000000", "..", "x"):
            self.assertIn(self.version("GET", name).status, (400, 404), name)

    def test_a_version_that_is_moved_to_the_place_for_that_replaces_the_file(self) -> None:
        here = f"http://127.0.0.1:{self.cloud.port}"
        wrong = self.version("MOVE", "1000000", Destination=self.cloud.address(self.path("b")))
        self.assertEqual(wrong.status, 403)
        self.assertEqual(self.version("MOVE", "1000000", Destination=f"{here}{VERSIONS}/restore/target").status, 201)
        self.assertEqual(self.text("a"), "one")
        place = f"versions/{self.number}"
        self.assertEqual(set(self.listed()), {place, *(f"{place}/{moment}000000" for moment in (1, 2, 3))})
        self.assertEqual(self.version("GET", "3000000").body, b"third one")

    def test_without_the_app_nothing_is_kept(self) -> None:
        self.cloud.quirks(versions=False)
        capabilities = self.cloud.ocs("GET", "cloud/capabilities").json["ocs"]["data"]["capabilities"]
        self.assertFalse(capabilities["files"]["versioning"])
        self.assertEqual(self.version("GET", "1000000").status, 404)


if __name__ == "__main__":
    unittest.main()
