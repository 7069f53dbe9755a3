"""The fake Nextcloud's chunked uploads and bulk uploads."""
from __future__ import annotations

import concurrent.futures
import hashlib
import unittest

from case import Case
from nextcloud import Answer


class ChunkTests(Case):
    def setUp(self) -> None:
        super().setUp()
        self.destination = self.cloud.address(self.path("whole"))
        self.assertEqual(self.chunk("MKCOL").status, 201)

    def chunk(self, method: str, name: str = "", body: bytes | None = None, **headers: str) -> Answer:
        return self.cloud.upload(method, f"{self.here}/{name}", body, **{"Destination": self.destination} | headers)

    def finish(self, **headers: str) -> Answer:
        return self.chunk("MOVE", ".file", None, **headers)

    def chunks(self) -> set[str]:
        return set(self.cloud.listing(self.here, "1", base="/remote.php/dav/uploads/me"))

    def test_chunks_become_a_file(self) -> None:
        parts = {f"{number}": bytes([number]) * 70_000 for number in range(1, 13)}
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda name: self.chunk("PUT", name, parts[name]), reversed(parts)))
        self.assertEqual({answer.status for answer in answers}, {201})
        self.assertEqual(self.chunk("PUT", "3", parts["3"]).status, 204)
        self.assertEqual(self.chunks(), {self.here, *map(self.path, parts), self.path(".file")})
        before = self.cloud.tag("")
        answer = self.finish(X_OC_Mtime="1234567890", OC_Total_Length="840000", OC_Checksum="SHA1:abc")
        self.assertEqual((answer.status, answer.headers["X-OC-MTime"]), (201, "accepted"))
        found = self.cloud.listing(self.path("whole"), "0", "d:getetag", "oc:id", "d:getlastmodified", "oc:checksums")
        self.assertEqual(found[self.path("whole")], {
            "getetag": answer.tag, "id": answer.headers["OC-FileId"], "getlastmodified": "Fri, 13 Feb 2009 23:31:30 GMT",
            "checksums": "SHA1:abc"})
        self.assertEqual(self.cloud.file("GET", self.path("whole")).body, b"".join(parts.values()))
        self.assertNotEqual(self.cloud.tag(""), before)
        self.assertEqual(self.chunk("PROPFIND").status, 404)
        self.assertEqual(list((self.cloud.top / "files.nextcloud" / "chunks").iterdir()), [])

    def test_a_file_that_is_replaced_keeps_its_id(self) -> None:
        tag = self.put("whole", "old").tag
        before = self.cloud.property(self.path("whole"), "oc:id")
        self.chunk("PUT", "1", b"new")
        # Conditions are about what is moved; that of the target has its address.
        self.assertEqual(self.finish(If_Match=tag).status, 412)
        self.assertEqual(self.finish(Overwrite="F").status, 412)
        self.assertEqual(self.finish(If=f'<{self.destination}> (["none"])').status, 412)
        self.assertEqual(self.text("whole"), "old")
        self.assertEqual(self.finish(If=f"<{self.destination}> ([{tag}])").status, 204)
        self.assertEqual((self.text("whole"), self.cloud.property(self.path("whole"), "oc:id")), ("new", before))

    def test_what_is_refused(self) -> None:
        self.assertEqual(self.chunk("MKCOL").status, 405)
        self.assertEqual(self.cloud.upload("PUT", "none/1", b"x").status, 409)
        self.assertEqual(self.cloud.upload("DELETE", "none").status, 404)
        self.chunk("PUT", "1", b"x")
        self.assertEqual(self.chunk("GET", "1").status, 405)
        self.assertEqual(self.finish(OC_Total_Length="2").status, 400)
        self.destination = self.cloud.address(self.path("none/whole"))
        self.assertEqual(self.finish().status, 409)
        self.destination = self.cloud.address(self.path(".htaccess"))
        self.assertEqual(self.finish().status, 403)
        self.assertEqual(self.chunks(), {self.here, self.path("1"), self.path(".file")})

    def test_an_upload_can_be_abandoned(self) -> None:
        self.chunk("PUT", "1", b"x")
        self.assertEqual(self.chunk("DELETE", "1").status, 204)
        self.assertEqual(self.chunks(), {self.here, self.path(".file")})
        self.assertEqual(self.chunk("DELETE").status, 204)
        self.assertEqual(self.chunk("PUT", "1", b"x").status, 409)

    def test_chunks_stay_over_a_restart(self) -> None:
        self.chunk("PUT", "1", b"one")
        self.cloud.end()
        self.cloud.start()
        self.chunk("PUT", "2", b"two")
        self.assertEqual(self.finish().status, 201)
        self.assertEqual(self.text("whole"), "onetwo")

    def test_object_storage_is_strict(self) -> None:
        self.cloud.quirks(object_storage=True)
        self.assertEqual(self.cloud.upload("PUT", f"{self.here}/1", b"x").status, 412)
        self.assertEqual([self.chunk("PUT", name, b"x").status for name in ("0", "10001", "a", "1", "00002")],
                         [400, 400, 400, 201, 201])
        self.assertEqual(self.finish().status, 400)
        self.chunk("PUT", "1", bytes(5 << 20))
        self.assertEqual(self.finish().status, 201)

    def test_the_quota_is_known_before_the_end(self) -> None:
        self.cloud.quirks(quota=int(self.cloud.property("", "oc:size") or 0) + 5)
        self.assertEqual(self.chunk("PUT", "1", b"x", OC_Total_Length="6").status, 507)
        self.assertEqual(self.chunk("PUT", "1", b"123456").status, 201)
        self.assertEqual(self.finish().status, 507)


# A path, contents, and headers other than they should be.
Part = tuple[str, bytes, dict[str, str]]


class BulkTests(Case):
    def post(self, *parts: Part, end: bytes = b"--mark--\r\n") -> Answer:
        body = b""
        for path, contents, more in parts:
            headers = {"Content-Length": str(len(contents)), "X-File-Path": path, "X-File-Mtime": "1234567890",
                       "X-File-MD5": hashlib.md5(contents).hexdigest()} | more
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
            body += b"--mark\r\n" + lines.encode() + b"\r\n" + contents + b"\r\n"
        return self.cloud.ask("POST", "/remote.php/dav/bulk", body + end, {"Content-Type": "multipart/related; boundary=mark"})

    def test_many_files(self) -> None:
        files = {f"/{self.path(f'{number} ä')}": f"{number}\r\n--mark\r\n".encode() * number for number in range(200)}
        parts: list[Part] = [(path, contents, {}) for path, contents in files.items()]
        answer = self.post(*parts)
        self.assertEqual(answer.status, 200)
        self.assertEqual(list(answer.json), list(files))
        listed = self.cloud.listing(self.here)
        for path, contents in files.items():
            said, found = answer.json[path], listed[path[1:]]
            self.assertEqual((said["error"], f'"{said["etag"]}"', said["fileid"]), (False, found["getetag"], found["id"]))
            self.assertEqual(found["getlastmodified"], "Fri, 13 Feb 2009 23:31:30 GMT")
            self.assertEqual((self.cloud.files / path[1:]).read_bytes(), contents)

    def test_one_that_cannot_be_written_does_not_stop_others(self) -> None:
        answer = self.post((self.path("none/a"), b"a", {}), (self.path("b"), b"b", {}))
        self.assertEqual([part["error"] for part in answer.json.values()], [True, False])
        self.assertEqual((answer.status, self.text("b")), (200, "b"))

    def test_parts_that_are_wrong(self) -> None:
        good: Part = (self.path("a"), b"a", {})
        for bad in ({"X-File-MD5": "0" * 32}, {"X-File-MD5": ""}, {"X-File-Path": ""}, {"Content-Length": "0"},
                    {"Content-Length": "5000"}):
            answer = self.post(good, (self.path("b"), b"bb", bad))
            self.assertEqual((answer.status, list(answer.json)[:1]), (400, [self.path("a")]))
        self.assertEqual(self.post(good, end=b"").status, 400)
        self.assertEqual(self.cloud.ask("POST", "/remote.php/dav/bulk", b"x").status, 400)
        self.cloud.quirks(no_bulk=True)
        self.assertEqual(self.post(good).status, 404)


if __name__ == "__main__":
    unittest.main()
