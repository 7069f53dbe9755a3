"""The fake Nextcloud's directories: their tags, what becomes of moved items, and what stays over a restart."""
from __future__ import annotations

import os
import random
import typing
import unittest

from case import Case
from nextcloud import Answer


class TreeTests(Case):
    def setUp(self) -> None:
        super().setUp()
        for name in ("one", "one/two", "other"):
            self.cloud.file("MKCOL", self.path(name))
        self.put("one/two/a")

    def tags(self) -> dict[str, str]:
        return {name: self.cloud.tag(self.path(name)) for name in ("one", "one/two", "other")} | {
            "here": self.cloud.tag(self.here), "": self.cloud.tag("")}

    def changed(self, before: dict[str, str]) -> set[str]:
        after = self.tags()
        return {name for name, tag in before.items() if after[name] != tag}

    def test_directories_change_with_what_is_below(self) -> None:
        inner = {"one", "one/two", "here", ""}
        changes: list[tuple[typing.Callable[[], Answer], set[str]]] = [
            (lambda: self.put("one/two/a", "more"), inner),
            (lambda: self.cloud.file("MKCOL", self.path("one/two/b")), inner),
            (lambda: self.cloud.file("DELETE", self.path("one/two/b")), inner),
            (lambda: self.cloud.move(self.path("one/two/a"), self.path("other/a")), inner | {"other"}),
            (lambda: self.cloud.move(self.path("other/a"), self.path("other/b")), {"other", "here", ""}),
            (lambda: self.cloud.file("GET", self.path("other/b")), set()),
        ]
        for change, expected in changes:
            before = self.tags()
            self.assertLess(change().status, 300)
            self.assertEqual(self.changed(before), expected)

    def test_what_is_moved_keeps_its_id_and_tag(self) -> None:
        names = ("d:getetag", "oc:id")
        before = {path.removeprefix(self.path("one")): found for path, found in (
            self.cloud.listing(self.path("one/two"), "1", *names) | self.cloud.listing(self.path("one"), "1", *names)).items()}
        self.assertEqual(self.cloud.move(self.path("one"), self.path("new"), Overwrite="F").status, 201)
        after = {path.removeprefix(self.path("new")): found for path, found in (
            self.cloud.listing(self.path("new/two"), "1", *names) | self.cloud.listing(self.path("new"), "1", *names)).items()}
        self.assertEqual(before, after)
        self.assertEqual(self.text("new/two/a"), "contents")

    def test_copies_are_new(self) -> None:
        address = self.cloud.address(self.path("copy"))
        self.assertEqual(self.cloud.file("COPY", self.path("one"), None, Destination=address).status, 201)
        self.assertEqual(self.text("copy/two/a"), "contents")
        original, copy = (self.cloud.listing(self.path(name), "0", "d:getetag", "oc:id", "oc:size")[self.path(name)]
                          for name in ("one/two/a", "copy/two/a"))
        self.assertEqual([key for key in original if original[key] == copy[key]], ["size"])
        self.assertEqual(self.cloud.file("COPY", self.path("one"), None, Destination=address, Overwrite="F").status, 412)

    def test_where_things_cannot_go(self) -> None:
        tag = self.put("b").tag

        def move(target: str, **headers: str) -> int:
            return self.cloud.move(self.path("b"), self.path(target), **headers).status
        self.assertEqual(move("one/two/a", Overwrite="F"), 412)
        self.assertEqual(move("none/a"), 409)
        self.assertEqual(move("c", If_Match='"none"'), 412)
        self.assertEqual(move("b"), 403)
        self.assertEqual(move("c", Overwrite="yes"), 400)
        self.assertEqual(self.cloud.move(self.path("one"), self.path("one/two/x")).status, 409)
        self.assertEqual(self.cloud.file("MOVE", self.path("b")).status, 400)
        self.assertEqual(self.cloud.file("MOVE", self.path("b"), None, Destination="http://x/elsewhere").status, 403)
        self.assertEqual(move("one/two/a", If_Match=tag), 204)
        self.assertEqual(self.cloud.tag(self.path("one/two/a")), tag)

    def test_the_target_of_a_move_may_have_a_condition(self) -> None:
        self.put("b", "b")
        address, tag = self.cloud.address(self.path("one/two/a")), self.cloud.tag(self.path("one/two/a"))

        def move(condition: str) -> int:
            return self.cloud.move(self.path("b"), self.path("one/two/a"), If=condition).status
        self.assertEqual(move(f'<{address}> (["none"])'), 412)
        # Without the space it is about the source.
        self.assertEqual(move(f"<{address}>([{tag}])"), 412)
        self.assertEqual(move(f"<{address}> (<opaquelocktoken:x>) ([{tag}])"), 204)

    def test_the_tag_of_a_directory_is_no_condition(self) -> None:
        tag = self.cloud.tag(self.path("one"))
        self.assertEqual(self.cloud.file("DELETE", self.path("one"), If_Match=tag).status, 412)
        self.assertEqual(self.cloud.file("DELETE", self.path("one"), If_Match="*").status, 204)

    def test_removal(self) -> None:
        tag = self.cloud.tag(self.path("one/two/a"))
        self.assertEqual(self.cloud.file("DELETE", self.path("one/two/a"), If_Match='"none"').status, 412)
        self.assertEqual(self.cloud.file("DELETE", self.path("one/two/a"), If_Match=tag).status, 204)
        self.assertEqual(self.cloud.file("DELETE", self.path("one/two/a")).status, 404)
        self.assertEqual(self.cloud.file("DELETE", self.path("one")).status, 204)
        self.assertFalse((self.cloud.files / self.path("one")).exists())
        self.assertEqual(self.cloud.file("DELETE", "").status, 403)


class KeepingTests(Case):
    def test_a_restart_changes_nothing(self) -> None:
        self.put("a", X_OC_Mtime="1234567890", OC_Checksum="SHA1:abc")
        names = ("d:getetag", "oc:id", "d:getlastmodified", "oc:checksums", "oc:size")
        before = self.cloud.listing("", "0", *names), self.cloud.listing(self.here, "1", *names)
        self.assertEqual(self.cloud.end(), 0)
        self.cloud.start()
        self.assertEqual((self.cloud.listing("", "0", *names), self.cloud.listing(self.here, "1", *names)), before)
        self.put("b")
        self.assertEqual(len({found["id"] for found in self.cloud.listing(self.here).values()}), 3)

    def test_a_backup_that_is_put_back_is_what_it_was(self) -> None:
        self.cloud.file("MKCOL", self.path("d"))
        self.put("d/a", "old")
        before = [self.cloud.listing(path) for path in ("", self.here, self.path("d"))]
        self.cloud.control("POST", "backup")
        self.put("d/a", "new")
        self.put("b")
        self.cloud.control("POST", "restore")
        self.assertEqual([self.cloud.listing(path) for path in ("", self.here, self.path("d"))], before)
        self.assertEqual((self.text("d/a"), self.cloud.control("POST", "scan", {})), ("old", {"changed": 0}))

    def test_what_others_do_on_disk_is_seen_after_a_scan(self) -> None:
        for name in ("a", "b", "c"):
            self.put(name)
        before, outer = self.cloud.listing(self.here), self.cloud.tag("")
        (self.cloud.files / self.path("a")).write_text("others")
        (self.cloud.files / self.path("b")).unlink()
        (self.cloud.files / self.path("d")).mkdir()
        (self.cloud.files / self.path("d/e")).write_text("new")
        self.assertEqual(self.cloud.control("POST", "scan", {"path": self.here}), {"changed": 4})
        after = self.cloud.listing(self.here)
        self.assertEqual(set(after), {self.here, *map(self.path, "acd")})
        self.assertEqual(before[self.path("a")]["id"], after[self.path("a")]["id"])
        self.assertEqual(before[self.path("c")], after[self.path("c")])
        self.assertNotEqual(before[self.path("a")]["getetag"], after[self.path("a")]["getetag"])
        self.assertNotEqual(outer, self.cloud.tag(""))
        self.assertEqual((self.text("a"), self.text("d/e")), ("others", "new"))
        self.assertEqual(self.cloud.control("POST", "scan", {}), {"changed": 0})

    def test_random_changes_stay_what_they_are(self) -> None:
        seed = int(os.environ.get("ROUNDEL_SEED", random.randrange(10**9)))
        print(f"seed {seed}")
        chosen = random.Random(seed)
        directories = ["", "p", "q", "p/r"]
        for _ in range(120):
            path, target = (self.path(f"{chosen.choice(directories)}/{chosen.choice('abpqr')}") for _ in range(2))
            match chosen.randrange(5):
                case 0:
                    self.cloud.file("MKCOL", path)
                case 1:
                    self.cloud.file("DELETE", path)
                case 2:
                    self.cloud.move(path, target)
                case 3:
                    self.cloud.file("COPY", path, None, Destination=self.cloud.address(target))
                case _:
                    self.cloud.file("PUT", path, bytes(chosen.randrange(2000)))
        self.assertEqual(self.cloud.control("POST", "scan", {}), {"changed": 0})
        top = self.cloud.files / self.here
        size = sum(file.stat().st_size for file in top.rglob("*") if file.is_file())
        self.assertEqual(self.cloud.property(self.here, "oc:size"), str(size))


if __name__ == "__main__":
    unittest.main()
